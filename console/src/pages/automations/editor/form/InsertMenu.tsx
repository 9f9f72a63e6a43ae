// The menu of values that a text can refer to: found by typing, put in by a press or Enter.
import { useState } from "react"
import { Dialog } from "../../../../ui/Dialog.tsx"
import { Search } from "../../../../ui/Search.tsx"
import type { Reference } from "../model/definition.ts"
import { keyOf, type ReferenceGroup } from "../model/references.ts"

interface InsertMenuProps {
  readonly label: string
  readonly groups: ReadonlyArray<ReferenceGroup>
  readonly insert: (reference: Reference) => void
}
export const InsertMenu = ({ groups, insert, label }: InsertMenuProps) => {
  const [open, setOpen] = useState(false)
  const [wanted, setWanted] = useState("")
  const isWanted = (group: string) => (one: { readonly label: string }) =>
    `${one.label} ${group}`.toLowerCase().includes(wanted.trim().toLowerCase())
  const matchingGroups = groups
    .map(({ choices, group }) => ({ group, choices: choices.filter(isWanted(group)) }))
    .filter(({ choices }) => choices.length > 0)
  const take = (reference: Reference) => {
    setOpen(false)
    setWanted("")
    // Inserts after the dialog has returned the focus.
    window.setTimeout(() => insert(reference))
  }
  return (
    <>
      <button
        type="button"
        className="link insert"
        onClick={() => setOpen(true)}
        aria-label={`Insert a value: ${label}`}
      >
        Insert a value
      </button>
      {open && (
        <Dialog title="Insert a value" close={() => setOpen(false)}>
          <form
            onSubmit={(event) => {
              event.preventDefault()
              const firstChoice = matchingGroups[0]?.choices[0]
              if (firstChoice !== undefined) take(firstChoice.reference)
            }}
          >
            <Search
              label="Find a value"
              value={wanted}
              onChange={setWanted}
              count={`${matchingGroups.length} groups`}
            />
          </form>
          <div className="menu-list">
            {matchingGroups.map(({ choices, group }) => (
              <section key={group} aria-label={group}>
                <h3>{group}</h3>
                <ul className="plain">
                  {choices.map((one) => (
                    <li key={keyOf(one.reference)}>
                      <button type="button" className="quiet small" onClick={() => take(one.reference)}>
                        {one.label}
                      </button>
                    </li>
                  ))}
                </ul>
              </section>
            ))}
            {matchingGroups.length === 0 && <p className="muted">Nothing here is called so.</p>}
          </div>
        </Dialog>
      )}
    </>
  )
}
