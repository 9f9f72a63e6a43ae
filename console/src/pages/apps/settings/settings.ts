// What forms of settings share: they hold what is sent, and hand a changed copy back.

/** As the API takes them, by the type of the field (developer-api.md 3.2). */
export type Settings = Readonly<Record<string, any>>

export interface SettingsFormProps {
  readonly settings: Settings
  readonly onChange: (settings: Settings) => void
}
