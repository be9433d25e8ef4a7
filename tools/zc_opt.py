"""zc-opt: reads, verifies, transforms and prints modules. All flags of `xdsl-opt`, and ours."""

import argparse
import os
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from io import BytesIO

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass, PassPipeline, get_pass_option_infos
from xdsl.utils.arg_spec import ArgSpec, parse_pipeline
from xdsl.xdsl_opt_main import xDSLOptMain

from ..dialects.diagnostics import collect_remarks, render
from ..dialects.parsing import dialects, replace_topology
from ..dialects.verified import PassVerifier
from ..transforms.pipeline import PIPELINES
from ..transforms.registry import expand, pass_factories
from .driver import EXIT_OK, OneLineParser, ToolError, exit_code_of, print_error, tool_main
from .frontend import ZcFrontend
from .zero_copy import add_zero_copy_flag, verify_zero_copy

SEPARATOR = "// -----"


class ZcOptMain(xDSLOptMain):
    """`xdsl-opt` with our dialects, passes, frontend and errors."""

    def __init__(self, args: Sequence[str] | None = None) -> None:
        super().__init__(description="zcir modular optimizer driver", args=args)
        # Ops and attributes of dialects we do not know pass through.
        self.ctx.allow_unregistered = True
        if self.args.input_file == "-":
            self.args.input_file = None

    def register_all_dialects(self) -> None:
        """Ours first, then xDSL's and plugins' as far as their names are free."""
        for name, factory in dialects().items():
            self.ctx.register_dialect(name, factory)

    def register_all_frontends(self) -> None:
        """The `mlir` frontend records where each op stands."""
        super().register_all_frontends()
        self.available_frontends["mlir"] = lambda: ZcFrontend

    def register_all_passes(self) -> None:
        """xDSL's, plugins' and ours."""
        super().register_all_passes()
        self.available_passes.update(pass_factories())

    def register_all_arguments(self, arg_parser: argparse.ArgumentParser) -> None:
        """xdsl-opt's flags, then ours."""
        # xDSL makes the parser; its errors show the whole usage.
        arg_parser.__class__ = OneLineParser
        arg_parser.prog = "zc-opt"
        super().register_all_arguments(arg_parser)
        arg_parser.add_argument(
            "--topology",
            metavar="FILE",
            help="an .mlir file whose module carries `stream.topology`; it replaces the module's",
        )
        arg_parser.add_argument(
            "--remarks",
            action="store_true",
            help="print the decisions passes take, as `file:line:col: remark: …`, on stderr",
        )

        arg_parser.add_argument(
            "--print-io-plan",
            action="store_true",
            help="print the I/O plan of a model as a table, in place of the module; see zc-model",
        )
        add_zero_copy_flag(arg_parser)

    def setup_pipeline(self) -> None:
        """Check pass names and expand the named pipelines of `-p`."""
        for spec in parse_pipeline(self.args.passes):
            if spec.name not in self.available_passes and spec.name not in PIPELINES:
                raise ToolError(f"unknown pass '{spec.name}' in -p; zc-opt --help lists the passes")
            _check_options(spec, self.available_passes)
        self.args.passes = ",".join(expand([self.args.passes]))
        super().setup_pipeline()
        callback = self.pipeline.callback
        if callback is not None and not self.args.disable_verify:
            # xDSL's own verification loses the place of the op.
            self.args.disable_verify = True
            xdsl_callback = callback
            verifier = PassVerifier()

            def verify_then(*step: object) -> None:
                verifier.verify(step[1])  # pyright: ignore[reportArgumentType]
                xdsl_callback(*step)  # pyright: ignore[reportArgumentType]

            self.pipeline = PassPipeline(self.pipeline.passes, verify_then)

    def run_tool(self) -> int:
        """Process every chunk; one that fails prints nothing and does not stop the others."""
        chunks, extension = self._read_chunks()
        printed: list[str] = []
        code = EXIT_OK
        for text, offset in chunks:
            try:
                printed.append(self._process(text, extension, offset))
            except Exception as error:
                if self._expected_diagnostic(error):
                    printed.append("\n".join(str(error).splitlines()) + "\n")
                    continue
                print_error(error, offset)
                printed.append("")
                code = max(code, exit_code_of(error))
        if code == EXIT_OK or self.args.split_input_file:
            self._write(f"{SEPARATOR}\n".join(printed), code)
        return code

    def _expected_diagnostic(self, error: Exception) -> bool:
        from xdsl.utils.exceptions import DiagnosticException, ParseError

        return (self.args.verify_diagnostics and isinstance(error, DiagnosticException)) or (
            self.args.parsing_diagnostics and isinstance(error, ParseError)
        )

    def _process(self, text: bytes, extension: str, offset: int) -> str:
        module = self._parse(text, extension, offset)
        if self.args.topology is not None:
            replace_topology(self.ctx, module, self.args.topology)
        with collect_remarks() as remarks:
            try:
                self.apply_passes(module)
            finally:
                if self.args.remarks:
                    for entry in remarks:
                        print(render(entry.location, "remark", entry.message), file=sys.stderr)
        if self.args.verify_zero_copy:
            verify_zero_copy(module)
        return self.output_resulting_program(module)

    def _parse(self, text: bytes, extension: str, offset: int) -> ModuleOp:
        if extension == "mlir" and self.args.frontend is None:
            frontend = ZcFrontend(
                no_implicit_module=self.args.no_implicit_module, line_offset=offset
            )
            return frontend.parse(self.ctx, BytesIO(text), self.get_input_name())
        module = self.parse_chunk(BytesIO(text), extension)
        if module is None:
            raise ToolError("the frontend gave no module")
        return module

    def _read_chunks(self) -> tuple[list[tuple[bytes, int]], str]:
        stream, extension = self.get_input_stream()
        with stream:
            content = stream.read()
        if extension not in self.available_frontends:
            extension = "mlir"
        if not self.args.split_input_file:
            return [(content, 0)], extension
        chunks: list[tuple[bytes, int]] = []
        offset = 0
        for chunk in content.split(SEPARATOR.encode()):
            chunks.append((chunk, offset))
            offset += chunk.count(b"\n")
        return chunks, extension

    def _write(self, text: str, code: int) -> None:
        """Standard output, or the `-o` file, which appears only when all went well."""
        if self.args.output_file is None:
            sys.stdout.write(text)
            sys.stdout.flush()
        elif code == EXIT_OK:
            write_atomically(self.args.output_file, text)

    def output_resulting_program(self, prog: ModuleOp) -> str:
        """The text of the module, ending in a newline as `iree-opt`'s does."""
        if self.args.print_io_plan:
            from ..dialects.io_plan import plan_table, read_plan

            plan = read_plan(prog)
            if plan is None:
                raise ToolError("the module has no I/O plan to print; run -p zc-model")
            return plan_table(plan)
        text = super().output_resulting_program(prog)
        return text if text.endswith("\n") else text + "\n"


def _check_options(spec: ArgSpec, passes: Mapping[str, Callable[[], type[ModulePass]]]) -> None:
    """Refuse options and values that a pass does not take; named pipelines take none."""
    chosen = None if spec.name in PIPELINES else passes[spec.name]()
    known = [] if chosen is None else [info.name for info in get_pass_option_infos(chosen)]
    for option in spec.parameters:
        if option.replace("-", "_") not in known:
            takes = f"it takes {', '.join(known)}" if known else "it takes none"
            raise ToolError(f"unknown option '{option}' of '{spec.name}' in -p; {takes}")
    try:
        if chosen is not None:
            chosen.from_spec(spec)
    except ValueError as error:
        raise ToolError(f"options of '{spec.name}' in -p: {error}") from error


def write_atomically(path: str, text: str) -> None:
    """Write `text` to `path` so that a partial file is never seen; raises OSError."""
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            with open(path, "w", encoding="utf-8") as device:
                device.write(text)
        else:
            _replace_file(path, text)
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from error


def _replace_file(path: str, text: str) -> None:
    handle, temporary = tempfile.mkstemp(dir=os.path.dirname(path) or ".", prefix=".zc-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, path)
    except OSError:
        os.unlink(temporary)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def run(args: Sequence[str] | None = None) -> int:
    """Run zc-opt with `args` (default: the command line's) and give its exit code."""
    return ZcOptMain(args).run_tool()


main = tool_main(run)

if __name__ == "__main__":
    main()
