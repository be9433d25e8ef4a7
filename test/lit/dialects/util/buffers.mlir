// RUN: ROUNDTRIP
// RUN: GENERIC_ROUNDTRIP

// Contents, a name, alignment and mime type.
// CHECK-LABEL: util.func public @constant() {
util.func public @constant() {
  // CHECK: util.buffer.constant : !util.buffer = dense<[1, 2]> : tensor<2xi32>
  %0 = util.buffer.constant : !util.buffer = dense<[1, 2]> : tensor<2xi32>
  // CHECK: util.buffer.constant "name" <alignment = 16, mime_type = "text/plain"> {tag} : !util.buffer = "contents"
  %1 = util.buffer.constant "name" <alignment = 16, mime_type = "text/plain"> {tag} : !util.buffer = "contents"
  util.return
}

// From allocation to the end of a buffer.
// CHECK-LABEL: util.func public @lifetime(%size: index) {
util.func public @lifetime(%size: index) {
  // CHECK: util.buffer.alloc uninitialized : !util.buffer{%size}
  %0 = util.buffer.alloc uninitialized : !util.buffer{%size}
  // CHECK: util.buffer.alloc uninitialized <alignment = 64> {tag} : !util.buffer{%size}
  %1 = util.buffer.alloc uninitialized <alignment = 64> {tag} : !util.buffer{%size}
  // CHECK: util.buffer.dealloc %0 : !util.buffer{%size}
  util.buffer.dealloc %0 : !util.buffer{%size}
  util.return
}

// Parts by copy and by reference.
// CHECK-LABEL: util.func public @parts(%b: !util.buffer, %size: index, %o: index, %n: index) {
util.func public @parts(%b: !util.buffer, %size: index, %o: index, %n: index) {
  // CHECK: util.buffer.slice %b[%o] <alignment = 8> : !util.buffer{%size} -> !util.buffer{%n}
  %slice = util.buffer.slice %b[%o] <alignment = 8> : !util.buffer{%size} -> !util.buffer{%n}
  // CHECK: util.buffer.subspan %b[%o] : !util.buffer{%size} -> !util.buffer{%n}
  %span = util.buffer.subspan %b[%o] : !util.buffer{%size} -> !util.buffer{%n}
  util.return
}

// What is known of a buffer.
// CHECK-LABEL: util.func public @queries(%b: !util.buffer, %n: index) {
util.func public @queries(%b: !util.buffer, %n: index) {
  // CHECK: util.buffer.size %b : !util.buffer
  %size = util.buffer.size %b : !util.buffer
  // CHECK: util.buffer.storage %b : !util.buffer{%n} -> (memref<?xi8>, index)
  %storage, %offset = util.buffer.storage %b : !util.buffer{%n} -> (memref<?xi8>, index)
  // CHECK: util.buffer.hash %b[%offset for %n] : !util.buffer{%size} -> i64
  %hash = util.buffer.hash %b[%offset for %n] : !util.buffer{%size} -> i64
  util.return
}

// Reads and writes of ranges.
// CHECK-LABEL: util.func public @access(%b: !util.buffer, %c: !util.buffer, %n: index, %o: index, %v: i32) {
util.func public @access(%b: !util.buffer, %c: !util.buffer, %n: index, %o: index, %v: i32) {
  // CHECK: util.buffer.copy %b[%o], %c[%o], %n : !util.buffer{%n} -> !util.buffer{%n}
  util.buffer.copy %b[%o], %c[%o], %n : !util.buffer{%n} -> !util.buffer{%n}
  // CHECK: util.buffer.compare %b[%o], %c[%o], %n : !util.buffer{%n}, !util.buffer{%n}
  %same = util.buffer.compare %b[%o], %c[%o], %n : !util.buffer{%n}, !util.buffer{%n}
  // CHECK: util.buffer.fill %v, %b[%o for %n] : i32 -> !util.buffer{%n}
  util.buffer.fill %v, %b[%o for %n] : i32 -> !util.buffer{%n}
  // CHECK: util.buffer.load %b[%o for %n] : !util.buffer{%n} -> f32
  %loaded = util.buffer.load %b[%o for %n] : !util.buffer{%n} -> f32
  // CHECK: util.buffer.store %v, %b[%o for %n] : i32 -> !util.buffer{%n} attributes {tag}
  util.buffer.store %v, %b[%o for %n] : i32 -> !util.buffer{%n} attributes {tag}
  util.return
}
