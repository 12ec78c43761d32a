; Ways through a function, the stack, and tables: each is run by the processor, too (test_execution.py).

define i64 @loop(i64 %x, i64 %y) {
entry:
  br label %head
head:
  %n = phi i64 [ 0, %entry ], [ %m, %next ]
  %v = phi i64 [ %x, %entry ], [ %w, %next ]
  %low = and i64 %v, 3
  switch i64 %low, label %next [
    i64 1, label %out
    i64 2, label %twice
  ]
twice:
  %t = add i64 %n, %y
  br label %next
next:
  %k = phi i64 [ %n, %head ], [ %t, %twice ]
  %w = lshr i64 %v, 2
  %m = add i64 %k, 1
  %go = icmp ne i64 %w, 0
  br i1 %go, label %head, label %out
out:
  %r = phi i64 [ %n, %head ], [ %m, %next ]
  ret i64 %r
}

define i64 @stack(i64 %x, i64 %y) {
  %room = alloca [4 x i64], align 8
  %i = and i64 %x, 3
  %j = and i64 %y, 3
  call void @llvm.memset.p0.i64(ptr noundef dereferenceable(32) %room, i8 5, i64 32, i1 false)
  %p = getelementptr inbounds [4 x i64], ptr %room, i64 0, i64 %i
  store i64 %y, ptr %p, align 8
  %q = getelementptr inbounds [4 x i64], ptr %room, i64 0, i64 %j
  %a = load i64, ptr %q, align 8
  %b = getelementptr inbounds i8, ptr %room, i64 3
  %c = load i32, ptr %b, align 1
  %d = zext i32 %c to i64
  %r = add i64 %a, %d
  ret i64 %r
}

@text = private constant [8 x i8] c"a\5C\22\00\\z\FF~"
@links = private constant { i64, ptr, ptr } { i64 3, ptr getelementptr (i8, ptr @text, i64 2), ptr null }

define i64 @linked(i64 %x, i64 %y) {
  %v = load <2 x i64>, ptr @links, align 8
  %n = extractelement <2 x i64> %v, i64 1
  %p = inttoptr i64 %n to ptr
  %i = and i64 %x, 3
  %q = getelementptr i8, ptr %p, i64 %i
  %a = load i8, ptr %q, align 1
  %z = zext i8 %a to i64
  %some = icmp ne ptr %p, null
  %r = select i1 %some, i64 %z, i64 %y
  ret i64 %r
}

define i64 @frames(i64 %x, i64 %y) {
  %r = call i64 @frame(i64 %x, i64 1, i64 %y)
  ret i64 %r
}

define internal i64 @frame(i64 %x, i64 %depth, i64 %outer) noinline {
  %p = alloca i64
  %kept = alloca ptr
  store i64 %x, ptr %p
  store ptr %p, ptr %kept
  %n = load i64, ptr %kept
  %last = icmp eq i64 %depth, 0
  br i1 %last, label %inner, label %deeper
inner:
  %q = inttoptr i64 %outer to ptr
  %v = load i64, ptr %q
  %o = inttoptr i64 %n to ptr
  %w = load i64, ptr %o
  %z = mul i64 %v, %w
  ret i64 %z
deeper:
  %more = add i64 %x, 100
  %d = sub i64 %depth, 1
  %a = call i64 @frame(i64 %more, i64 %d, i64 %n)
  ret i64 %a
}

define i64 @bytes(i64 %x, i64 %y) {
  %i = and i64 %x, 7
  %q = getelementptr i8, ptr @text, i64 %i
  %a = load i8, ptr %q, align 1
  %z = zext i8 %a to i64
  %c = call range(i64 0, 65) i64 @llvm.ctpop.i64(i64 %y)
  %r = mul i64 %z, %c
  ret i64 %r
}

@table = private constant [8 x { i32, i16 }] [{ i32, i16 } { i32 1, i16 -2 }, { i32, i16 } { i32 -3, i16 4 }, { i32, i16 } { i32 5, i16 6 }, { i32, i16 } zeroinitializer, { i32, i16 } { i32 7, i16 8 }, { i32, i16 } { i32 9, i16 10 }, { i32, i16 } { i32 11, i16 12 }, { i32, i16 } { i32 13, i16 14 }]

define i64 @table_lookup(i64 %x, i64 %y) {
  %i = and i64 %x, 7
  %p = getelementptr inbounds [8 x { i32, i16 }], ptr @table, i64 0, i64 %i, i32 1
  %a = load i16, ptr %p, align 2
  %b = sext i16 %a to i64
  %r = call i64 @helper(i64 %b, i64 %y)
  ret i64 %r
}

define internal i64 @helper(i64 %x, i64 %y) noinline {
  %big = icmp ugt i64 %x, 9
  br i1 %big, label %one, label %two
one:
  ret i64 %y
two:
  ret i64 %x
}

@digits = constant [16 x i8] c"\03\01\04\01\05\09\02\06\05\03\05\08\09\07\09\03"

define i64 @copied(i64 %x, i64 %y) {
  %p = alloca [16 x i8]
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr @digits, i64 16, i1 false)
  %i = and i64 %x, 15
  %q = getelementptr [16 x i8], ptr %p, i64 0, i64 %i
  %a = load i8, ptr %q
  store i8 100, ptr %p
  %b = load i8, ptr %q
  %c = add i8 %a, %b
  %r = zext i8 %c to i64
  ret i64 %r
}

define internal <16 x i8> @joined(i64 %x, i64 %y) {
  %low = insertelement <2 x i64> poison, i64 %x, i32 0
  %both = insertelement <2 x i64> %low, i64 %y, i32 1
  %r = bitcast <2 x i64> %both to <16 x i8>
  ret <16 x i8> %r
}

define internal i64 @folded(<16 x i8> %q) {
  %both = bitcast <16 x i8> %q to <2 x i64>
  %low = extractelement <2 x i64> %both, i32 0
  %high = extractelement <2 x i64> %both, i64 1
  %other = mul i64 %high, 3
  %r = xor i64 %low, %other
  ret i64 %r
}
