// Edits a webhook's address and its other settings (decisions W11). Sends only what changed.
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { type FormEvent, type ReactNode, useId, useState } from "react"
import { client } from "../../api/client.ts"
import type { Hook, HookSettings, HookType, SettingsChange } from "../../api/hooks.ts"
import { hookSettingsForm as texts } from "../../texts/hooks/hooks.ts"
import { Failure } from "../../ui/states.tsx"
import { useUnsavedText } from "../../ui/unsavedText.ts"
import { TypePicks } from "./TypePicks.tsx"

interface FieldProps {
  readonly label: string
  readonly hint?: ReactNode
  readonly children: (id: string) => ReactNode
}
const Field = ({ label, hint, children }: FieldProps) => {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children(id)}
      {hint === undefined ? null : <small>{hint}</small>}
    </div>
  )
}

const numberOf = (text: string) => (text.trim() === "" ? null : Number(text))
const textOfNumber = (value: number | null) => (value === null ? "" : String(value))

const draftOf = ({ url }: Hook, settings: HookSettings) => ({
  url,
  description: settings.description,
  types: settings.types as ReadonlyArray<HookType>,
  filter: settings.filter === null ? "" : JSON.stringify(settings.filter, null, 2),
  perMinute: textOfNumber(settings.per_minute),
  atOnce: textOfNumber(settings.at_once),
  timeout: textOfNumber(settings.timeout_millis),
  withRecord: settings.include_record
})
type Draft = ReturnType<typeof draftOf>

class NotJson extends Error {}

const filterOf = (text: string): NonNullable<SettingsChange["filter"]> | null => {
  if (text.trim() === "") return null
  try {
    return JSON.parse(text)
  } catch {
    throw new NotJson(texts.filterIsNotJson)
  }
}

/** Only what differs from what there is. */
const changeOf = (was: Draft, is: Draft): SettingsChange => ({
  ...(is.description === was.description ? {} : { description: is.description }),
  ...(is.types === was.types ? {} : { types: [...is.types] }),
  ...(is.filter === was.filter ? {} : { filter: filterOf(is.filter) }),
  ...(is.perMinute === was.perMinute ? {} : { per_minute: numberOf(is.perMinute) }),
  ...(is.atOnce === was.atOnce ? {} : { at_once: numberOf(is.atOnce) }),
  ...(is.timeout === was.timeout ? {} : { timeout_millis: numberOf(is.timeout) }),
  ...(is.withRecord === was.withRecord ? {} : { include_record: is.withRecord })
})

interface HookSettingsFormProps {
  readonly hook: Hook
  readonly settings: HookSettings
}
export const HookSettingsForm = ({ hook, settings }: HookSettingsFormProps) => {
  const queries = useQueryClient()
  const was = draftOf(hook, settings)
  const [is, setIs] = useState(was)
  const set = (part: Partial<Draft>) => setIs((now) => ({ ...now, ...part }))
  const save = useMutation({
    mutationFn: async () => {
      const change = changeOf(was, is)
      const id = { hook_id: hook.hook_id }
      if (Object.keys(change).length > 0) await client.webhooks.settingsUpdate({ ...id, body: change })
      if (is.url !== was.url) {
        await client.webhooks.update({ ...id, body: { url: is.url.trim() } })
        await client.webhooks.verifyRequest(id)
      }
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ["hooks"] })
  })
  useUnsavedText(!save.isPending && JSON.stringify(is) !== JSON.stringify(was))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  const number = (id: string, value: string, most: number, take: (text: string) => void) => (
    <input
      id={id}
      type="number"
      min={1}
      max={most}
      placeholder={texts.asTheAppHasIt}
      value={value}
      onChange={({ target }) => take(target.value)}
    />
  )
  return (
    <section className="card" aria-labelledby="settings">
      <h2 id="settings">{texts.settings}</h2>
      <form onSubmit={submit}>
        <Field label={texts.description}>
          {(id) => (
            <input
              id={id}
              maxLength={1000}
              value={is.description}
              onChange={({ target }) => set({ description: target.value })}
            />
          )}
        </Field>
        <Field label={texts.address} hint={texts.newAddressHasToBeVerified}>
          {(id) => (
            <input
              id={id}
              type="url"
              required
              maxLength={2000}
              value={is.url}
              onChange={({ target }) => set({ url: target.value })}
            />
          )}
        </Field>
        <TypePicks chosen={is.types} fixed={hook.type} onChange={(types) => set({ types })} />
        <div className="inline">
          <Field label={texts.executionsAMinute}>
            {(id) => number(id, is.perMinute, 100_000, (perMinute) => set({ perMinute }))}
          </Field>
          <Field label={texts.atTheSameTime}>{(id) => number(id, is.atOnce, 1000, (atOnce) => set({ atOnce }))}</Field>
          <Field label={texts.timeoutInMilliseconds}>
            {(id) => number(id, is.timeout, 5000, (timeout) => set({ timeout }))}
          </Field>
        </div>
        <Field
          label={texts.filter}
          hint={texts.asJsonOverTheRecord(<a href="/docs/webhooks">{texts.howFiltersAreWritten}</a>)}
        >
          {(id) => (
            <textarea
              id={id}
              rows={is.filter === "" ? 2 : 8}
              spellCheck={false}
              value={is.filter}
              onChange={({ target }) => set({ filter: target.value })}
            />
          )}
        </Field>
        <div className="pick">
          <input
            type="checkbox"
            id="with-record"
            checked={is.withRecord}
            onChange={({ target }) => set({ withRecord: target.checked })}
          />
          <label htmlFor="with-record">{texts.sendTheRecord}</label>
        </div>
        {save.error instanceof NotJson ? (
          <p className="note bad" role="alert">
            {save.error.message}
          </p>
        ) : save.isError ? (
          <Failure what={texts.notEverythingWasSaved} error={save.error} />
        ) : null}
        <div className="buttons">
          <button type="submit" className="quiet" disabled={save.isPending}>
            {save.isPending ? texts.saving : texts.saveSettings}
          </button>
        </div>
      </form>
    </section>
  )
}
