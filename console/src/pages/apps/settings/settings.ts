// Types that forms of settings share: a form gets the settings to send, and hands back a changed copy.

/** Settings as the API takes them, by the type of the field (developer-api.md 3.2). */
export type Settings = Readonly<Record<string, any>>

export interface SettingsFormProps {
  readonly settings: Settings
  readonly onChange: (settings: Settings) => void
}
