// A JSON value as a tree: names, types and values; what holds others opens and closes. Long lists and texts show their
// beginning first, and what is closed is not drawn.
import { useState } from "react"
import { WithSecrets } from "../WithSecrets.tsx"
import "./json.css"
import { jsonTree as texts } from "../../texts/ui/json.ts"

/** Members of an object or list that are drawn at first, and more with each press. */
const SHOWN = 50
/** Characters of a text that are drawn at first. */
const CHARS = 500
/** Levels that are open at first. */
const OPEN_DEPTH = 2

export const isBranch = (value: unknown): value is object => typeof value === texts.object && value !== null

export const sizeOf = (value: object) => {
  const count = Object.keys(value).length
  return Array.isArray(value) ? texts.countItems(count) : texts.countValues(count)
}

export const typeWordOf = (value: unknown): string =>
  value === null || value === undefined
    ? texts.empty
    : Array.isArray(value)
      ? texts.list
      : ({ string: "text", number: "number", boolean: texts.yesOrNo }[typeof value as string] ?? texts.object)

export const Leaf = ({ value }: { readonly value: unknown }) => {
  const [isWhole, setWhole] = useState(false)
  const text = typeof value === "string" ? value : JSON.stringify(value ?? null)
  return (
    <>
      <span className={`json-leaf ${typeof value}`}>
        <WithSecrets text={isWhole || text.length <= CHARS ? text : `${text.slice(0, CHARS)}…`} />
      </span>
      {!isWhole && text.length > CHARS && (
        <button type="button" className="link" onClick={() => setWhole(true)}>
          {texts.showAllCountCharacters(text.length.toLocaleString())}
        </button>
      )}
    </>
  )
}

interface BranchProps {
  readonly value: object
  readonly depth: number
}
/** Member that holds others: they are drawn once it is open. */
const Branch = ({ depth, name, value }: BranchProps & { readonly name: string }) => {
  const [isOpen, setOpen] = useState(depth < OPEN_DEPTH)
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <code>{name}</code> <small>{sizeOf(value)}</small>
      </summary>
      {isOpen && <Members value={value} depth={depth + 1} />}
    </details>
  )
}
const Members = ({ depth, value }: BranchProps) => {
  const [shown, setShown] = useState(SHOWN)
  const members = Object.entries(value)
  return (
    <ul className="json-tree">
      {members.slice(0, shown).map(([name, member]) => (
        <li key={name}>
          {isBranch(member) ? (
            <Branch name={name} value={member} depth={depth} />
          ) : (
            <>
              <code>{name}</code> <small>{typeWordOf(member)}</small> <Leaf value={member} />
            </>
          )}
        </li>
      ))}
      {members.length > shown && (
        <li>
          <button type="button" className="link" onClick={() => setShown(shown + SHOWN)}>
            {texts.showMoreRestLeft((members.length - shown).toLocaleString())}
          </button>
        </li>
      )}
    </ul>
  )
}

export const JsonTree = ({ value }: { readonly value: unknown }) =>
  isBranch(value) ? <Members value={value} depth={0} /> : <Leaf value={value} />
