; All rooks at once, one step after another.
define i64 @west(i64 %sliders, i64 %occupied) {
  %a = or i64 %sliders, 0
  br label %head
head:
  %n = phi i32 [ 0, %0 ], [ %m, %head ]
  %now = phi i64 [ %a, %0 ], [ %open, %head ]
  %all = phi i64 [ 0, %0 ], [ %both, %head ]
  %right = lshr i64 %now, 1
  %there = and i64 %right, 9187201950435737471
  %both = or i64 %all, %there
  %free = xor i64 %occupied, -1
  %open = and i64 %there, %free
  %m = add i32 %n, 1
  %end = icmp eq i32 %m, 7
  br i1 %end, label %out, label %head
out:
  ret i64 %both
}
