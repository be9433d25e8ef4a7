// RUN: zc-opt --split-input-file %s -p stream-resolve-transfer-kinds | filecheck %s

// No pool serves b and c, so one of two equal transfers is a copy: over the link to c, which is
// faster. With the speeds exchanged it is the other one.
// CHECK-LABEL: @slow_to_b
// CHECK: stream.async.transfer {{.+}} to(#hal.device.affinity<@b>) {{.+}}kind = "alias"
// CHECK: stream.async.transfer {{.+}} to(#hal.device.affinity<@c>) {{.+}}kind = "copy"
module attributes {stream.topology = #hal.device.topology<links = [
  (@a -> @b = {transparent_access = true}, {bandwidth_gbps = 1.0 : f64}),
  (@a -> @c = {transparent_access = true}, {bandwidth_gbps = 100.0 : f64})]>} {
util.global private @a : !hal.device
util.global private @b : !hal.device
util.global private @c : !hal.device
util.func public @slow_to_b() -> (!stream.resource<*>, !stream.resource<*>) {
  %c0 = arith.constant 0 : index
  %c4096 = arith.constant 4096 : index
  %0 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f() : () -> !stream.resource<*>{%c4096}
  %1 = stream.async.transfer %0 : !stream.resource<*>{%c4096} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@b>) !stream.resource<*>{%c4096}
  %2 = stream.async.transfer %0 : !stream.resource<*>{%c4096} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@c>) !stream.resource<*>{%c4096}
  %3 = stream.async.dispatch on(#hal.device.affinity<@b>) @ex::@g(%1[%c0 to %c4096 for %c4096]) : (!stream.resource<*>{%c4096}) -> !stream.resource<*>{%c4096}
  %4 = stream.async.dispatch on(#hal.device.affinity<@c>) @ex::@g(%2[%c0 to %c4096 for %c4096]) : (!stream.resource<*>{%c4096}) -> !stream.resource<*>{%c4096}
  util.return %3, %4 : !stream.resource<*>, !stream.resource<*>
}
}

// -----

// CHECK-LABEL: @slow_to_c
// CHECK: stream.async.transfer {{.+}} to(#hal.device.affinity<@b>) {{.+}}kind = "copy"
// CHECK: stream.async.transfer {{.+}} to(#hal.device.affinity<@c>) {{.+}}kind = "alias"
module attributes {stream.topology = #hal.device.topology<links = [
  (@a -> @b = {transparent_access = true}, {bandwidth_gbps = 100.0 : f64}),
  (@a -> @c = {transparent_access = true}, {bandwidth_gbps = 1.0 : f64})]>} {
util.global private @a : !hal.device
util.global private @b : !hal.device
util.global private @c : !hal.device
util.func public @slow_to_c() -> (!stream.resource<*>, !stream.resource<*>) {
  %c0 = arith.constant 0 : index
  %c4096 = arith.constant 4096 : index
  %0 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f() : () -> !stream.resource<*>{%c4096}
  %1 = stream.async.transfer %0 : !stream.resource<*>{%c4096} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@b>) !stream.resource<*>{%c4096}
  %2 = stream.async.transfer %0 : !stream.resource<*>{%c4096} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@c>) !stream.resource<*>{%c4096}
  %3 = stream.async.dispatch on(#hal.device.affinity<@b>) @ex::@g(%1[%c0 to %c4096 for %c4096]) : (!stream.resource<*>{%c4096}) -> !stream.resource<*>{%c4096}
  %4 = stream.async.dispatch on(#hal.device.affinity<@c>) @ex::@g(%2[%c0 to %c4096 for %c4096]) : (!stream.resource<*>{%c4096}) -> !stream.resource<*>{%c4096}
  util.return %3, %4 : !stream.resource<*>, !stream.resource<*>
}
}

// -----

// Latency counts for each use: read over and over across the link, b's own copy is cheaper; read
// once it is not.
// CHECK-LABEL: @often
// CHECK: stream.async.transfer {{.+}}kind = "copy"
// CHECK-LABEL: @once
// CHECK: stream.async.transfer {{.+}}kind = "alias"
module attributes {stream.topology = #hal.device.topology<links = [
  (@b -> @a = {transparent_access = true}, {bandwidth_gbps = 10.0 : f64, latency_ns = 1000.0 : f64})]>} {
util.global private @a : !hal.device
util.global private @b : !hal.device
util.func public @often(%v: !hal.buffer_view) -> (!stream.resource<*>, !stream.resource<*>, !stream.resource<*>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %0 = stream.tensor.import on(#hal.device.affinity<@a>) %v : !hal.buffer_view -> tensor<16xf32> in !stream.resource<external>{%c64}
  %1 = stream.async.transfer %0 : !stream.resource<external>{%c64} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@b>) !stream.resource<external>{%c64}
  %2 = stream.async.dispatch on(#hal.device.affinity<@b>) @ex::@g(%1[%c0 to %c64 for %c64]) : (!stream.resource<external>{%c64}) -> !stream.resource<*>{%c64}
  %3 = stream.async.dispatch on(#hal.device.affinity<@b>) @ex::@g(%1[%c0 to %c64 for %c64]) : (!stream.resource<external>{%c64}) -> !stream.resource<*>{%c64}
  %4 = stream.async.dispatch on(#hal.device.affinity<@b>) @ex::@g(%1[%c0 to %c64 for %c64]) : (!stream.resource<external>{%c64}) -> !stream.resource<*>{%c64}
  util.return %2, %3, %4 : !stream.resource<*>, !stream.resource<*>, !stream.resource<*>
}
util.func public @once(%v: !hal.buffer_view) -> (!stream.resource<*>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %0 = stream.tensor.import on(#hal.device.affinity<@a>) %v : !hal.buffer_view -> tensor<16xf32> in !stream.resource<external>{%c64}
  %1 = stream.async.transfer %0 : !stream.resource<external>{%c64} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@b>) !stream.resource<external>{%c64}
  %2 = stream.async.dispatch on(#hal.device.affinity<@b>) @ex::@g(%1[%c0 to %c64 for %c64]) : (!stream.resource<external>{%c64}) -> !stream.resource<*>{%c64}
  util.return %2 : !stream.resource<*>
}
}

// -----

// A size that only the run knows counts as large: of two transfers that cannot both alias, the one
// of 64 bytes is copied.
// CHECK-LABEL: @dynamic
// CHECK: stream.async.transfer {{.+}} to(#hal.device.affinity<@b>) {{.+}}kind = "copy"
// CHECK: stream.async.transfer {{.+}} to(#hal.device.affinity<@c>) {{.+}}kind = "alias"
module attributes {stream.topology = #hal.device.topology<links = [
  (@a -> @b = {transparent_access = true}), (@a -> @c = {transparent_access = true})]>} {
util.global private @a : !hal.device
util.global private @b : !hal.device
util.global private @c : !hal.device
util.func public @dynamic(%n: index) -> (!stream.resource<*>, !stream.resource<*>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %0 = stream.async.dispatch on(#hal.device.affinity<@a>) @ex::@f() : () -> !stream.resource<*>{%n}
  %1 = stream.resource.subview %0[%c0] : !stream.resource<*>{%n} -> !stream.resource<*>{%c64}
  %2 = stream.async.transfer %1 : !stream.resource<*>{%c64} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@b>) !stream.resource<*>{%c64}
  %3 = stream.async.transfer %0 : !stream.resource<*>{%n} from(#hal.device.affinity<@a>) -> to(#hal.device.affinity<@c>) !stream.resource<*>{%n}
  %4 = stream.async.dispatch on(#hal.device.affinity<@b>) @ex::@g(%2[%c0 to %c64 for %c64]) : (!stream.resource<*>{%c64}) -> !stream.resource<*>{%c64}
  %5 = stream.async.dispatch on(#hal.device.affinity<@c>) @ex::@g(%3[%c0 to %n for %n]) : (!stream.resource<*>{%n}) -> !stream.resource<*>{%n}
  util.return %4, %5 : !stream.resource<*>, !stream.resource<*>
}
}
