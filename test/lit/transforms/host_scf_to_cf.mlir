// RUN: zc-opt --allow-unregistered-dialect %s -p host-scf-to-cf | filecheck %s

// A loop becomes a head that tests, a body that branches back, and what follows; its results are
// the head's arguments.
// CHECK-LABEL: @loop
// CHECK: cf.br ^[[HEAD:[a-z0-9]+]](%{{.+}}, %r : index, !stream.resource<transient>)
// CHECK-NEXT: ^[[HEAD]](%i: index, %v: !stream.resource<transient>):
// CHECK-NEXT: %[[MORE:.+]] = arith.cmpi slt, %i, %n : index
// CHECK-NEXT: cf.cond_br %[[MORE]], ^[[BODY:[a-z0-9]+]], ^[[END:[a-z0-9]+]]
// CHECK-NEXT: ^[[BODY]]:
// CHECK-NEXT: %[[W:.+]] = "test.next"(%v)
// CHECK-NEXT: %[[NEXT:.+]] = arith.addi %i, %{{.+}} : index
// CHECK-NEXT: cf.br ^[[HEAD]](%[[NEXT]], %[[W]] : index, !stream.resource<transient>)
// CHECK-NEXT: ^[[END]]:
// CHECK-NEXT: util.return %v
util.func public @loop(%r: !stream.resource<transient>, %n: index) -> !stream.resource<transient> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%v = %r) -> (!stream.resource<transient>) {
    %1 = "test.next"(%v) : (!stream.resource<transient>) -> !stream.resource<transient>
    scf.yield %1 : !stream.resource<transient>
  }
  util.return %0 : !stream.resource<transient>
}

// A loop that is known to have an iteration is entered without a test; its results are what the
// last round gives.
// CHECK-LABEL: @at_least_once
// CHECK: cf.br ^[[BODY:[a-z0-9]+]](%{{.+}}, %r : index, !stream.resource<transient>)
// CHECK-NEXT: ^[[BODY]](%[[I:.+]]: index, %[[V:.+]]: !stream.resource<transient>):
// CHECK-NEXT: %[[W:.+]] = "test.next"(%[[V]])
// CHECK-NEXT: %[[NEXT:.+]] = arith.addi %[[I]], %{{.+}} : index
// CHECK-NEXT: %[[MORE:.+]] = arith.cmpi slt, %[[NEXT]], %{{.+}} : index
// CHECK-NEXT: cf.cond_br %[[MORE]], ^[[BODY]](%[[NEXT]], %[[W]] : index, !stream.resource<transient>), ^[[END:[a-z0-9]+]]
// CHECK-NEXT: ^[[END]]:
// CHECK-NEXT: util.return %[[W]]
util.func public @at_least_once(%r: !stream.resource<transient>) -> !stream.resource<transient> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %0 = scf.for %i = %c0 to %c4 step %c1 iter_args(%v = %r) -> (!stream.resource<transient>) {
    %1 = "test.next"(%v) : (!stream.resource<transient>) -> !stream.resource<transient>
    scf.yield %1 : !stream.resource<transient>
  }
  util.return %0 : !stream.resource<transient>
}

// One whose bounds are equal has none: it is tested first.
// CHECK-LABEL: @never
// CHECK: ^[[HEAD:[a-z0-9]+]](%i: index, %v: !stream.resource<transient>):
// CHECK-NEXT: arith.cmpi slt, %i
util.func public @never(%r: !stream.resource<transient>) -> !stream.resource<transient> {
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c1 to %c1 step %c1 iter_args(%v = %r) -> (!stream.resource<transient>) {
    %1 = "test.next"(%v) : (!stream.resource<transient>) -> !stream.resource<transient>
    scf.yield %1 : !stream.resource<transient>
  }
  util.return %0 : !stream.resource<transient>
}

// A while loop tests in its first block; a branch in its body ends in a block of its own.
// CHECK-LABEL: @while
// CHECK: cf.br ^[[HEAD:[a-z0-9]+]](%n : i32)
// CHECK-NEXT: ^[[HEAD]](%[[V:.+]]: i32):
// CHECK-NEXT: %[[MORE:.+]] = "test.more"(%[[V]])
// CHECK-NEXT: cf.cond_br %[[MORE]], ^[[BODY:[a-z0-9]+]](%[[V]] : i32), ^[[END:[a-z0-9]+]]
// CHECK-NEXT: ^[[BODY]](%[[B:.+]]: i32):
// CHECK-NEXT: cf.cond_br %c, ^[[THEN:[a-z0-9]+]], ^[[ELSE:[a-z0-9]+]]
// CHECK-NEXT: ^[[THEN]]:
// CHECK-NEXT: %[[T:.+]] = "test.then"(%[[B]])
// CHECK-NEXT: cf.br ^[[JOIN:[a-z0-9]+]](%[[T]] : i32)
// CHECK-NEXT: ^[[ELSE]]:
// CHECK-NEXT: cf.br ^[[JOIN]](%[[B]] : i32)
// CHECK-NEXT: ^[[JOIN]](%[[J:.+]]: i32):
// CHECK-NEXT: cf.br ^[[HEAD]](%[[J]] : i32)
// CHECK-NEXT: ^[[END]]:
// CHECK-NEXT: util.return %[[V]]
util.func public @while(%n: i32, %c: i1) -> i32 {
  %0 = scf.while (%v = %n) : (i32) -> i32 {
    %1 = "test.more"(%v) : (i32) -> i1
    scf.condition(%1) %v : i32
  } do {
  ^bb0(%b: i32):
    %2 = scf.if %c -> (i32) {
      %3 = "test.then"(%b) : (i32) -> i32
      scf.yield %3 : i32
    } else {
      scf.yield %b : i32
    }
    scf.yield %2 : i32
  }
  util.return %0 : i32
}

// A branch without an else goes on at once.
// CHECK-LABEL: @if
// CHECK: cf.cond_br %c, ^[[THEN:[a-z0-9]+]], ^[[END:[a-z0-9]+]]
// CHECK-NEXT: ^[[THEN]]:
// CHECK-NEXT: "test.then"
// CHECK-NEXT: cf.br ^[[END]]
// CHECK-NEXT: ^[[END]]:
// CHECK-NEXT: util.return
util.func public @if(%c: i1) {
  scf.if %c {
    "test.then"() : () -> ()
    scf.yield
  }
  util.return
}

// Kernels keep their loops.
// CHECK-LABEL: @kernel
// CHECK: scf.for
stream.executable private @ex {
  stream.executable.export public @kernel
  builtin.module {
    func.func @kernel(%n: index) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      scf.for %i = %c0 to %n step %c1 {
      }
      func.return
    }
  }
}

// A switch tests its cases one after the other; each case goes on after it.
// CHECK-LABEL: @switch
// CHECK: %[[ONE:.+]] = arith.constant 1 : index
// CHECK-NEXT: %[[IS_ONE:.+]] = arith.cmpi eq, %i, %[[ONE]] : index
// CHECK-NEXT: cf.cond_br %[[IS_ONE]], ^[[FIRST:[a-z0-9]+]], ^[[NEXT:[a-z0-9]+]]
// CHECK-NEXT: ^[[NEXT]]:
// CHECK-NEXT: %[[SEVEN:.+]] = arith.constant 7 : index
// CHECK-NEXT: %[[IS_SEVEN:.+]] = arith.cmpi eq, %i, %[[SEVEN]] : index
// CHECK-NEXT: cf.cond_br %[[IS_SEVEN]], ^[[SECOND:[a-z0-9]+]], ^[[DEFAULT:[a-z0-9]+]]
// CHECK-NEXT: ^[[DEFAULT]]:
// CHECK-NEXT: cf.br ^[[END:[a-z0-9]+]](%n : i32)
// CHECK-NEXT: ^[[FIRST]]:
// CHECK-NEXT: %[[F:.+]] = "test.first"()
// CHECK-NEXT: cf.br ^[[END]](%[[F]] : i32)
// CHECK-NEXT: ^[[SECOND]]:
// CHECK-NEXT: %[[S:.+]] = "test.second"()
// CHECK-NEXT: cf.br ^[[END]](%[[S]] : i32)
// CHECK-NEXT: ^[[END]](%[[R:.+]]: i32):
// CHECK-NEXT: util.return %[[R]]
util.func public @switch(%i: index, %n: i32) -> i32 {
  %0 = scf.index_switch %i -> i32
  case 1 {
    %1 = "test.first"() : () -> i32
    scf.yield %1 : i32
  }
  case 7 {
    %2 = "test.second"() : () -> i32
    scf.yield %2 : i32
  }
  default {
    scf.yield %n : i32
  }
  util.return %0 : i32
}

// A switch without cases is its default.
// CHECK-LABEL: @default
// CHECK: cf.br ^[[DEFAULT:[a-z0-9]+]]
// CHECK-NEXT: ^[[DEFAULT]]:
// CHECK-NEXT: "test.default"
// CHECK-NEXT: cf.br ^[[END:[a-z0-9]+]]
// CHECK-NEXT: ^[[END]]:
// CHECK-NEXT: util.return
util.func public @default(%i: index) {
  scf.index_switch %i
  default {
    "test.default"() : () -> ()
    scf.yield
  }
  util.return
}

// Each yield of a region with several blocks goes on after it.
// CHECK-LABEL: @region
// CHECK: cf.br ^[[ENTRY:[a-z0-9]+]]
// CHECK-NEXT: ^[[ENTRY]]:
// CHECK-NEXT: cf.cond_br %c, ^[[ONE:[a-z0-9]+]], ^[[TWO:[a-z0-9]+]]
// CHECK-NEXT: ^[[ONE]]:
// CHECK-NEXT: cf.br ^[[END:[a-z0-9]+]](%n : i32)
// CHECK-NEXT: ^[[TWO]]:
// CHECK-NEXT: %[[T:.+]] = "test.two"()
// CHECK-NEXT: cf.br ^[[END]](%[[T]] : i32)
// CHECK-NEXT: ^[[END]](%[[R:.+]]: i32):
// CHECK-NEXT: util.return %[[R]]
util.func public @region(%c: i1, %n: i32) -> i32 {
  %0 = scf.execute_region -> i32 {
    cf.cond_br %c, ^one, ^two
  ^one:
    scf.yield %n : i32
  ^two:
    %1 = "test.two"() : () -> i32
    scf.yield %1 : i32
  }
  util.return %0 : i32
}
