class RustParameters: pass
