// A value that somebody else has changed meanwhile, beside one's own.
import type { Field } from "../../../api/types.ts"
import { bothValues as texts } from "../../../texts/records/writes.ts"
import { ShortValue } from "../../../ui/values.tsx"
import { asCell, type Entries } from "./CellWrite.ts"

const Value = ({ field, entries }: { readonly field: Field; readonly entries: Entries }) =>
  entries.length === 0 ? texts.empty : <ShortValue cell={asCell(field, entries)} field={field} />

interface BothValuesProps {
  /** Name of who changed it. */
  readonly by: string
  readonly place: string
  readonly field: Field
  readonly theirs: Entries
  /** Undefined if it stands in a form beside. */
  readonly yours?: Entries | undefined
}
export const BothValues = ({ by, place, field, theirs, yours }: BothValuesProps) => (
  <>
    <p>
      <strong>{texts.byChangedPlaceWhile(by, place)}</strong>
    </p>
    <dl className="both-values">
      <dt>{texts.theirs}</dt>
      <dd>
        <Value field={field} entries={theirs} />
      </dd>
      {yours !== undefined && (
        <>
          <dt>{texts.yours}</dt>
          <dd>
            <Value field={field} entries={yours} />
          </dd>
        </>
      )}
    </dl>
  </>
)
