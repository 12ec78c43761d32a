; Line numbers and types, as Clang writes them: !7 stands where a call names a type.
declare ptr @new()
define ptr @f() !dbg !3 {
  %p = call ptr @new(), !dbg !6, !heapallocsite !7
  ret ptr %p
}
!llvm.dbg.cu = !{!1}
!llvm.module.flags = !{!0}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = distinct !DICompileUnit(language: DW_LANG_C99, file: !2)
!2 = !DIFile(filename: "a.c", directory: ".")
!3 = distinct !DISubprogram(name: "f", file: !2, line: 1, type: !4, unit: !1, spFlags: DISPFlagDefinition, thrownTypes: !9)
!4 = !DISubroutineType(types: !5)
!5 = !{!7}
!6 = !DILocation(line: 2, scope: !3)
!7 = !DIDerivedType(tag: DW_TAG_typedef, name: "T", file: !2, line: 1, baseType: !8)
!8 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!9 = !{!8}
