// RUN: ROUNDTRIP
// RUN: GENERIC_ROUNDTRIP

// Arithmetic on indices, which states no type.
// CHECK-LABEL: func.func @arithmetic
func.func @arithmetic(%a: index, %b: index, %i: i32) {
  // CHECK: %0 = index.constant 4
  %0 = index.constant 4
  // CHECK: index.add %a, %b {tag}
  %1 = index.add %a, %b {tag}
  // CHECK: index.sub %a, %b
  %2 = index.sub %a, %b
  // CHECK: index.mul %a, %b
  %3 = index.mul %a, %b
  // CHECK: index.divs %a, %b
  %4 = index.divs %a, %b
  // CHECK: index.divu %a, %b
  %5 = index.divu %a, %b
  // CHECK: index.ceildivs %a, %b
  %6 = index.ceildivs %a, %b
  // CHECK: index.ceildivu %a, %b
  %7 = index.ceildivu %a, %b
  // CHECK: index.floordivs %a, %b
  %8 = index.floordivs %a, %b
  // CHECK: index.rems %a, %b
  %9 = index.rems %a, %b
  // CHECK: index.remu %a, %b
  %10 = index.remu %a, %b
  // CHECK: index.maxs %a, %b
  %11 = index.maxs %a, %b
  // CHECK: index.maxu %a, %b
  %12 = index.maxu %a, %b
  // CHECK: index.mins %a, %b
  %13 = index.mins %a, %b
  // CHECK: index.minu %a, %b
  %14 = index.minu %a, %b
  // CHECK: index.shl %a, %b
  %15 = index.shl %a, %b
  // CHECK: index.shrs %a, %b
  %16 = index.shrs %a, %b
  // CHECK: index.shru %a, %b
  %17 = index.shru %a, %b
  // CHECK: index.and %a, %b
  %18 = index.and %a, %b
  // CHECK: index.or %a, %b
  %19 = index.or %a, %b
  // CHECK: index.xor %a, %b
  %20 = index.xor %a, %b
  // CHECK: index.casts %a {tag} : index to i32
  %30 = index.casts %a {tag} : index to i32
  // CHECK: index.castu %i : i32 to index
  %31 = index.castu %i : i32 to index
  func.return
}
