class ZigParameters: pass
