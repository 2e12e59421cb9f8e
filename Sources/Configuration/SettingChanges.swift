/// What a running service cannot take up.
extension ServeSettings {
    /// The keys in which these settings differ from `earlier` in a way that a running service cannot take up.
    public func changesThatNeedRestart(from earlier: ServeSettings) -> [String] {
        SettingTable.service.filter { $0.needsRestart && $0.show(self) != $0.show(earlier) }.map(\.key)
    }
}
