// A value that stands for itself, outside of any text: chosen from what is in reach; lists of them; ids of options, users and records, or
// values that give them.
import { useQuery } from "@tanstack/react-query"
import { users } from "../../../../api/queries.ts"
import { referenceSelect as texts } from "../../../../texts/automations/editorForm.ts"
import { AddOne } from "../../../../ui/AddOne.tsx"
import { ChoiceOfMany } from "../../../../ui/ChoiceOfMany.tsx"
import { optionsOf } from "../../../records/filterWords.ts"
import { useEditor } from "../context.ts"
import type { Reference } from "../model/definition.ts"
import { keyOf, wordsOf } from "../model/references.ts"
import { useValueTree } from "../sample/useValueTree.ts"

interface Offer {
  readonly collectionsOnly?: boolean
  /** Only what passes. */
  readonly keep?: (reference: Reference) => boolean
}
interface ReferenceSelectProps extends Offer {
  readonly id: string
  readonly name?: string
  readonly value: Reference | undefined
  readonly onChange: (value: Reference | undefined) => void
}

/** Earlier values that are offered, by their keys, each in the group of what gives it. */
const useOffered = ({ collectionsOnly = false, keep = () => true }: Offer) => {
  const offered = useValueTree().flatMap(({ choices, group }) =>
    choices
      .filter(
        ({ reference }) => keep(reference) && (!collectionsOnly || reference["action_type"] === "record_collection")
      )
      .map(({ label, reference }) => ({ key: keyOf(reference), label, group, reference }))
  )
  return {
    choices: offered.map(({ group, key, label }) => [key, label, group] as const),
    referenceOf: (key: string | undefined) => offered.find((one) => one.key === key)?.reference
  }
}

export const ReferenceSelect = ({ id, name, onChange, value, ...offer }: ReferenceSelectProps) => {
  const { apps } = useEditor()
  const { choices, referenceOf } = useOffered(offer)
  const key = value === undefined || value === null ? null : keyOf(value)
  const isKnown = key === null || referenceOf(key) !== undefined
  return (
    <ChoiceOfMany
      id={id}
      {...(name !== undefined && { label: name })}
      none={texts.choose}
      choices={isKnown ? choices : [[key, wordsOf(value!, apps)], ...choices]}
      value={key}
      onChange={(next) => onChange(referenceOf(next))}
    />
  )
}

interface AddReferenceProps {
  readonly id: string
  readonly label: string
  readonly onAdd: (value: Reference) => void
}
const AddReference = ({ id, label, onAdd }: AddReferenceProps) => {
  const { choices, referenceOf } = useOffered({})
  return <AddOne id={id} label={label} choices={choices} onAdd={(key) => onAdd(referenceOf(key)!)} />
}

interface ListProps {
  readonly id: string
  readonly value: unknown
  readonly onChange: (value: ReadonlyArray<unknown>) => void
}

/** Each as a chip that can be taken away; one more from a list. */
export const ReferenceList = ({ id, onChange, value }: ListProps) => {
  const { apps } = useEditor()
  const list = Array.isArray(value) ? (value as ReadonlyArray<Reference>) : []
  return (
    <>
      {list.map((reference, at) => (
        <Taken
          key={keyOf(reference)}
          words={wordsOf(reference, apps)}
          away={() => onChange(list.filter((_, index) => index !== at))}
        />
      ))}
      <AddReference id={id} label={texts.addOne} onAdd={(reference) => onChange([...list, reference])} />
    </>
  )
}

const Taken = ({ away, words }: { readonly away: () => void; readonly words: string }) => (
  <span className="chip">
    {words}
    <button type="button" aria-label={texts.removeWords(words)} onClick={away}>
      ×
    </button>
  </span>
)

/** Options and users by their names; other ids by their numbers. */
const useIdChoices = (field: unknown): ReadonlyArray<readonly [number, string]> => {
  const { apps } = useEditor()
  const {
    field_id,
    field_type = "",
    meta_type
  } = (field ?? {}) as Reference & {
    readonly field_id?: number
    readonly field_type?: string
  }
  const isUser = /user|_by$/.test(`${field_type}${String(meta_type ?? "")}`)
  const people = useQuery({ ...users, enabled: isUser }).data?.users ?? []
  if (isUser) return people.map(({ name, user_id }) => [user_id, name] as const)
  const knownField = [...apps.values()].flatMap(({ fields }) => fields).find((one) => one.field_id === field_id)
  return knownField === undefined ? [] : optionsOf(knownField as never).map(({ id, text }) => [id, text] as const)
}

export const IdsEditor = ({ field, id, onChange, value }: ListProps & { readonly field: unknown }) => {
  const { apps } = useEditor()
  const choices = useIdChoices(field)
  const list = Array.isArray(value) ? (value as ReadonlyArray<number | Reference>) : []
  const words = (one: number | Reference) =>
    typeof one === "number" ? (choices.find(([key]) => key === one)?.[1] ?? texts.noOne(one)) : wordsOf(one, apps)
  const add = (one: number | Reference) => onChange([...list, one])
  return (
    <>
      {list.map((one, at) => (
        <Taken
          key={typeof one === "number" ? one : keyOf(one)}
          words={words(one)}
          away={() => onChange(list.filter((_, index) => index !== at))}
        />
      ))}
      {choices.length > 0 ? (
        <AddOne id={id} label={texts.addAValue} choices={choices.filter(([key]) => !list.includes(key))} onAdd={add} />
      ) : (
        <input
          id={id}
          aria-label={texts.addTheNumber}
          placeholder={texts.numberOfARecord}
          inputMode="numeric"
          onKeyDown={(event) => {
            const number = Number(event.currentTarget.value)
            if (event.key !== "Enter" || !Number.isSafeInteger(number) || number < 1) return
            event.preventDefault()
            event.currentTarget.value = ""
            add(number)
          }}
        />
      )}
      <AddReference id={`${id}-reference`} label={texts.addFromAValue} onAdd={add} />
    </>
  )
}
