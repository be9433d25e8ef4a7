"""Flow programs of any length: a value goes to and fro between two devices, elementwise."""

_HEAD = """\
module @chain attributes {
  stream.affinity.default = #hal.device.affinity<@device_a>,
  stream.topology = #hal.device.topology<links = [
    (@device_a -> @device_b = {unified_memory = true, transparent_access = true}, \
{coherent = false}),
    (@device_b -> @device_a = {unified_memory = true, transparent_access = true}, \
{coherent = false})
  ]>
} {
  util.global private @device_a = #hal.device.target<"local", {ordinal = 0 : index}, \
[#hal.executable.target<"vmvx", "vmvx-bytecode-fb">]> : !hal.device
  util.global private @device_b = #hal.device.target<"local", {ordinal = 1 : index}, \
[#hal.executable.target<"vmvx", "vmvx-bytecode-fb">]> : !hal.device
  flow.executable private @square {
    flow.executable.export public @square workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @square(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<16xf32>>, \
%arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16xf32>>) {
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0], sizes = [16], \
strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<16xf32>> -> tensor<16xf32>
        %1 = arith.mulf %0, %0 : tensor<16xf32>
        iree_tensor_ext.dispatch.tensor.store %1, %arg1, offsets = [0], sizes = [16], \
strides = [1] : tensor<16xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16xf32>>
        return
      }
    }
  }
  util.func public @f(%arg0: !hal.buffer_view) -> !hal.buffer_view {
    %0 = hal.tensor.import %arg0 "input0" : !hal.buffer_view -> tensor<16xf32>
"""

_LINK = """\
    %{dispatched} = flow.dispatch @square::@square(%{value}) : (tensor<16xf32>) -> tensor<16xf32>
    %{moved} = flow.tensor.transfer %{dispatched} : tensor<16xf32> to \
#hal.device.affinity<@device_{device}>
"""

_TAIL = """\
    %{last} = hal.tensor.export %{value} "output0" : tensor<16xf32> -> !hal.buffer_view
    util.return %{last} : !hal.buffer_view
  }}
}}
"""


def chain(ops: int) -> str:
    """A chain of `ops` ops, dispatches and transfers in turn; rounded so that it ends on a."""
    links = max(ops // 4, 1) * 2
    body = (
        _LINK.format(
            value=2 * link, dispatched=2 * link + 1, moved=2 * link + 2, device="ba"[link % 2]
        )
        for link in range(links)
    )
    return _HEAD + "".join(body) + _TAIL.format(value=2 * links, last=2 * links + 1)
