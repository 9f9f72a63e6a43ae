// Types that forms of settings share: a form gets the settings to send, and hands back a changed copy.

import type { Field } from "../../../api/types.ts"

/** Settings as the API takes them, by the type of the field (developer-api.md 3.2). */
export type Settings = Readonly<Record<string, any>>

export interface SettingsFormProps {
  readonly settings: Settings
  readonly onChange: (settings: Settings) => void
  /** Other fields of the app. */
  readonly fields?: ReadonlyArray<Field>
  /** False for a field that is changed. */
  readonly isNew?: boolean
  /** Why the service refused the expression. */
  readonly problem?: string | undefined
}
