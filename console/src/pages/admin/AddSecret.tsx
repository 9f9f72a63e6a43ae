// A new secret: its name stays for good, its value is typed blind and never shown again.
import { useId, useState } from "react"
import { addSecret as texts } from "../../texts/admin/secrets.ts"
import { Failure } from "../../ui/states.tsx"
import { AllowedField, nobody } from "./AllowedField.tsx"
import { useChange } from "./adminQueries.ts"
import { addSecret, type SecretOwner } from "./secretQueries.ts"

const nothing = { name: "", value: "", description: "" }

export const AddSecret = ({ owner }: { readonly owner: SecretOwner }) => {
  const id = useId()
  const [draft, setDraft] = useState(nothing)
  const [allowed, setAllowed] = useState(nobody)
  const add = useChange(
    () => {
      const description = draft.description.trim()
      return addSecret(owner, {
        ...draft,
        name: draft.name.trim(),
        description: description === "" ? null : description,
        ...(owner === "org" && { allowed })
      })
    },
    [["secrets", owner]],
    () => {
      setDraft(nothing)
      setAllowed(nobody)
    }
  )
  const bound = (key: keyof typeof nothing) => ({
    id: `${id}-${key}`,
    value: draft[key],
    onChange: ({ target }: { target: { value: string } }) => setDraft({ ...draft, [key]: target.value })
  })
  return (
    <form
      className="card"
      aria-label={texts.newSecret}
      onSubmit={(event) => {
        event.preventDefault()
        add.mutate(undefined)
      }}
    >
      <h2>{texts.newSecret}</h2>
      <div className="inline">
        <div className="field">
          <label htmlFor={`${id}-name`}>{texts.name}</label>
          <input {...bound("name")} required maxLength={100} autoComplete="off" spellCheck={false} />
        </div>
        <div className="field">
          <label htmlFor={`${id}-value`}>{texts.value}</label>
          <input
            {...bound("value")}
            type="password"
            required
            minLength={6}
            maxLength={8192}
            autoComplete="new-password"
          />
        </div>
        <div className="field">
          <label htmlFor={`${id}-description`}>{texts.whatItIsFor}</label>
          <input {...bound("description")} maxLength={1000} autoComplete="off" />
        </div>
        <button type="submit" disabled={add.isPending}>
          {texts.addSecret}
        </button>
      </div>
      {owner === "org" && <AllowedField value={allowed} change={setAllowed} />}
      <p className="muted after">{texts.nobodyCanReadTheValue}</p>
      {add.isError && (
        <Failure what={texts.secretWasNotAdded} error={add.error} labels={{ description: texts.whatItIsFor }} />
      )}
      <output className="unseen">{add.isSuccess && texts.secretWasAdded(add.data.name)}</output>
    </form>
  )
}
