public import AttachmentRules
public enum RenditionAudit {
    public struct Found { public var width: Int; public var height: Int; public var isProgressive: Bool }
    public static func check(_ bytes: Span<UInt8>) throws(Rejection) -> Found { { var w=0,h=0,p=false; var i=2; while i+9 < bytes.count { let m=bytes[i+1]; if m==0xC0||m==0xC2 { h=Int(bytes[i+5])*256+Int(bytes[i+6]); w=Int(bytes[i+7])*256+Int(bytes[i+8]); p = m==0xC2; break }; i += 2+Int(bytes[i+2])*256+Int(bytes[i+3]) }; return Found(width: w, height: h, isProgressive: p) }() }
}
