// Differences between two versions of an automation (developer-api.md 7.13): sentences before and after, the values behind them, and the flow of
// the later one with marks.
import type { AnswerOf } from "@millrace/client"
import { useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import { client } from "../../api/client.ts"
import { differences as texts } from "../../texts/automations/versions.ts"
import { Asked } from "../../ui/states.tsx"
import { type Change, marksOf, shown, wordsOf } from "./changeWords.ts"
import { conditionSentence, type Names } from "./editor/model/conditionSentence.ts"
import { type Definition, definitionFrom } from "./editor/model/definition.ts"
import { stepSentence } from "./editor/model/stepSentence.ts"
import { stepOf } from "./editor/model/steps.ts"
import { triggerSentence } from "./editor/model/triggerSentence.ts"
import { Flow } from "./Flow.tsx"
import { useNames } from "./useNames.ts"

export type Revision = AnswerOf<"automations.revisions">["revisions"][number]

const read = (revision: Revision) => definitionFrom(revision as unknown as Record<string, unknown>, () => "")

const Side = ({ name, text }: { readonly name: "Before" | "After"; readonly text: string | undefined }) =>
  text === undefined ? null : (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
    <pre className={name.toLowerCase()} tabIndex={0}>
      <span className="unseen">{name}: </span>
      {text}
    </pre>
  )

interface GroupProps {
  readonly title: string
  readonly changes: ReadonlyArray<Change>
  readonly before: string | undefined
  readonly after: string | undefined
  readonly names: Names
}
/** Changes of one part. Its sentences tell most of them; the values are there for who wants to see them. */
const Group = ({ after, before, changes, names, title }: GroupProps) => {
  const values = changes.filter(({ kind }) => kind !== "moved")
  const isTold = before !== after
  const rows = (
    <ul className="plain">
      {values.map((change) => (
        <li key={`${change.kind} ${change.path}`}>
          <p>{wordsOf(change)}</p>
          <div className="sides">
            <Side name="Before" text={change.before === undefined ? undefined : shown(change.before, names)} />
            <Side name="After" text={change.after === undefined ? undefined : shown(change.after, names)} />
          </div>
        </li>
      ))}
    </ul>
  )
  return (
    <li className="change">
      <p>{title}</p>
      {isTold && (
        <div className="sides">
          <Side name="Before" text={before} />
          <Side name="After" text={after} />
        </div>
      )}
      {values.length > 0 &&
        (isTold ? (
          <details>
            <summary>{texts.values}</summary>
            {rows}
          </details>
        ) : (
          rows
        ))}
    </li>
  )
}

const kinds = (changes: ReadonlyArray<Change>, part: string) => marksOf(changes).get(part) ?? "changed"

interface DifferencesProps {
  readonly automationId: number
  readonly app_id: number
  readonly from: Revision
  readonly to: Revision
}
export const Differences = ({ app_id, automationId, from, to }: DifferencesProps) => {
  const query = useQuery({
    queryKey: ["automation", automationId, "diff", from.id, to.id],
    queryFn: ({ signal }) =>
      client.automations.revisionDiff({ automation_id: automationId, from_id: from.id, to_id: to.id }, { signal }),
    staleTime: Number.POSITIVE_INFINITY
  })
  const [former, later] = useMemo(() => [read(from), read(to)] as const, [from, to])
  const bothActions = useMemo(() => [...former.actions, ...later.actions], [former, later])
  const names = useNames(app_id, bothActions)
  const sentenceOf = (definition: Definition, part: string) => {
    if (part === "trigger") return triggerSentence(definition.trigger, app_id, names)
    if (part === "filter") return conditionSentence(definition.filter, names) || texts.always
    const step = stepOf(definition.actions, part)
    return step === undefined ? undefined : stepSentence(step, names)
  }
  const nameOf = (part: string) => {
    if (part === "trigger") return texts.theTrigger
    if (part === "filter") return texts.theFilter
    const step = stepOf(later.actions, part) ?? stepOf(former.actions, part)
    if (step === undefined) return texts.theAutomation
    return step.custom_name ? `“${step.custom_name}”` : names.label(step.type)
  }
  return (
    <Asked query={query} failed={texts.loadingTheDifferencesFailed}>
      {({ differences }) => {
        if (from.name === to.name && differences.length === 0)
          return <p className="muted">{texts.triggerFilterAndSteps}</p>
        const parts = new Map<string, Array<Change>>()
        for (const change of differences) {
          const part = change.action_id ?? /^(?:trigger|filter)/.exec(change.path)?.[0] ?? ""
          parts.set(part, [...(parts.get(part) ?? []), change])
        }
        return (
          <>
            <ul className="plain">
              {[...parts].map(([part, changes]) => (
                <Group
                  key={part}
                  title={texts.wasKinds(nameOf(part), kinds(changes, part))}
                  changes={changes}
                  before={part === "" ? undefined : sentenceOf(former, part)}
                  after={part === "" ? undefined : sentenceOf(later, part)}
                  names={names}
                />
              ))}
            </ul>
            <details>
              <summary>{texts.flowOfVersion(to.version)}</summary>
              <Flow definition={later} app_id={app_id} names={names} marks={marksOf(differences)} />
            </details>
          </>
        )
      }}
    </Asked>
  )
}
