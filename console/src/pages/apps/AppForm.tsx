// Form for the name and looks of an app: for a new app, and in the settings of an existing one.
import { type ReactNode, useId, useState } from "react"
import { appForm as texts } from "../../texts/apps/apps.ts"
import { Failure } from "../../ui/states.tsx"
import { useUnsavedText } from "../../ui/unsavedText.ts"

export interface AppDraft {
  readonly name: string
  readonly item_name: string
  readonly description: string
  readonly emoji: string
}

interface AppFormProps {
  readonly first: AppDraft
  readonly button: string
  readonly busy: boolean
  readonly error: unknown
  /** After it was kept, until something is typed. */
  readonly done?: string | undefined
  readonly send: (draft: AppDraft) => void
  /** Further fields. */
  readonly children?: ReactNode
}
export const AppForm = ({ first, button, busy, error, done, send, children }: AppFormProps) => {
  const id = useId()
  const [draft, setDraft] = useState(first)
  const [touched, setTouched] = useState(false)
  useUnsavedText(touched && !busy)
  const bound = (key: keyof AppDraft, more: object) => ({
    id: `${id}-${key}`,
    value: draft[key],
    onChange: (event: { target: { value: string } }) => {
      setTouched(true)
      setDraft({ ...draft, [key]: event.target.value })
    },
    ...more
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        setTouched(false)
        send({ ...draft, name: draft.name.trim(), item_name: draft.item_name.trim(), emoji: draft.emoji.trim() })
      }}
    >
      <div className="inline app-names">
        <div className="field">
          <label htmlFor={`${id}-name`}>{texts.name}</label>
          <input
            {...bound("name", { required: true, maxLength: 500, autoComplete: "off", placeholder: texts.ships })}
          />
        </div>
        <div className="field">
          <label htmlFor={`${id}-item_name`}>{texts.nameOfARecord}</label>
          <input {...bound("item_name", { maxLength: 500, autoComplete: "off", placeholder: texts.ship })} />
          <small>{texts.recordIfEmpty}</small>
        </div>
        <div className="field app-icon">
          <label htmlFor={`${id}-emoji`}>{texts.icon}</label>
          <input {...bound("emoji", { maxLength: 32, autoComplete: "off", size: 4 })} />
        </div>
      </div>
      <div className="field">
        <label htmlFor={`${id}-description`}>{texts.whatItIsFor}</label>
        <input {...bound("description", { maxLength: 25_000 })} />
      </div>
      {children}
      {error != null && (
        <Failure what={texts.itWasNotSaved} error={error} labels={{ description: texts.whatItIsFor }} />
      )}
      <div className="buttons">
        <button type="submit" disabled={busy}>
          {button}
        </button>
        <output className="muted">{!touched && done}</output>
      </div>
    </form>
  )
}

/** Body for the API; an empty icon is sent as null. */
export const appBody = ({ description, emoji, item_name, name }: AppDraft) => ({
  name,
  item_name: item_name === "" ? texts.record : item_name,
  description: description === "" ? null : description,
  icon: emoji === "" ? null : ({ type: "emoji", emoji } as const)
})
