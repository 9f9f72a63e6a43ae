// A value that stands for itself, outside of any text: chosen from what is in reach; lists of them; ids of options, users and records, or
// values that give them.
import { useQuery } from "@tanstack/react-query"
import { users } from "../../../../api/queries.ts"
import { optionsOf } from "../../../records/filterWords.ts"
import { useEditor } from "../context.ts"
import type { Reference } from "../model/definition.ts"
import { keyOf, wordsOf } from "../model/references.ts"
import { useValueTree } from "../sample/useValueTree.ts"

interface ReferenceSelectProps {
  readonly id: string
  readonly name?: string
  readonly value: Reference | undefined
  readonly onChange: (value: Reference | undefined) => void
  readonly collectionsOnly?: boolean
  /** Only what passes. */
  readonly keep?: (reference: Reference) => boolean
}

export const ReferenceSelect = ({
  collectionsOnly = false,
  id,
  keep = () => true,
  name,
  onChange,
  value
}: ReferenceSelectProps) => {
  const { apps } = useEditor()
  const groups = useValueTree()
    .map(({ choices, group }) => ({
      group,
      choices: choices.filter(
        ({ reference }) => keep(reference) && (!collectionsOnly || reference["action_type"] === "record_collection")
      )
    }))
    .filter(({ choices }) => choices.length > 0)
  const allChoices = groups.flatMap(({ choices }) => choices)
  const key = value === undefined || value === null ? "" : keyOf(value)
  const isKnown = key === "" || allChoices.some(({ reference }) => keyOf(reference) === key)
  return (
    <select
      id={id}
      aria-label={name}
      value={key}
      onChange={({ target }) =>
        onChange(allChoices.find(({ reference }) => keyOf(reference) === target.value)?.reference)
      }
    >
      <option value="">Choose</option>
      {!isKnown && <option value={key}>{wordsOf(value!, apps)}</option>}
      {groups.map(({ choices, group }) => (
        <optgroup key={group} label={group}>
          {choices.map(({ label, reference }) => (
            <option key={keyOf(reference)} value={keyOf(reference)}>
              {label}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  )
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
      <ReferenceSelect
        id={id}
        name="Add one"
        value={undefined}
        onChange={(reference) => reference !== undefined && onChange([...list, reference])}
      />
    </>
  )
}

const Taken = ({ away, words }: { readonly away: () => void; readonly words: string }) => (
  <span className="chip">
    {words}
    <button type="button" aria-label={`Remove: ${words}`} onClick={away}>
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
    typeof one === "number" ? (choices.find(([key]) => key === one)?.[1] ?? `No. ${one}`) : wordsOf(one, apps)
  const add = (one: number | Reference | undefined) => one !== undefined && onChange([...list, one])
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
        <select
          id={id}
          aria-label="Add a value"
          value=""
          onChange={({ target }) => add(target.value === "" ? undefined : Number(target.value))}
        >
          <option value="">Add a value</option>
          {choices
            .filter(([key]) => !list.includes(key))
            .map(([key, name]) => (
              <option key={key} value={key}>
                {name}
              </option>
            ))}
        </select>
      ) : (
        <input
          id={id}
          aria-label="Add the number of a record"
          placeholder="Number of a record"
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
      <ReferenceSelect id={`${id}-reference`} name="Add from a value" value={undefined} onChange={add} />
    </>
  )
}
