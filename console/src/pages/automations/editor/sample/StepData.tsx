// Values that a step was given (Input) or gave (Output) in its last test, beside its form: as a tree, by item where it stands in loops.

import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { stepData as texts } from "../../../../texts/automations/editorSteps.ts"
import { ChoiceOfMany } from "../../../../ui/ChoiceOfMany.tsx"
import { duration } from "../../../../ui/duration.ts"
import { JsonTree } from "../../../../ui/json/JsonTree.tsx"
import { Failure } from "../../../../ui/states.tsx"
import { Tag } from "../../../../ui/Tag.tsx"
import { WithSecrets } from "../../../../ui/WithSecrets.tsx"
import { useEditor } from "../context.ts"
import { placeOf } from "../model/steps.ts"
import { resultWords } from "./resultWords.ts"
import type { StepItem, StepResult } from "./stepResults.ts"
import { useSample } from "./useSample.ts"

/** The item that is looked at first: one that failed. */
const firstItemOf = (items: ReadonlyArray<StepItem>) => {
  const failed = items.findIndex(({ status }) => status === "failure")
  return Math.max(0, failed)
}

const Items = ({
  at,
  items,
  onChange
}: {
  readonly at: number
  readonly items: ReadonlyArray<StepItem>
  readonly onChange: (at: number) => void
}) => (
  <div className="inline field">
    <label htmlFor="sample-item">{texts.item}</label>
    <ChoiceOfMany
      id="sample-item"
      value={at}
      required
      choices={items.map(({ item, status }, index) => [index, `${item} – ${resultWords[status].word}`])}
      onChange={(index) => index !== undefined && onChange(index)}
    />
  </div>
)

interface ResultProps {
  readonly result: StepResult
  readonly part: "input" | "output"
}
const Result = ({ part, result }: ResultProps) => {
  const [chosenItem, setChosenItem] = useState<number>()
  const itemIndex = Math.min(chosenItem ?? firstItemOf(result.items), result.items.length - 1)
  const { inputs, messages, millis, outputs, status } = result.items[itemIndex]!
  const { tone, word } = resultWords[status]
  const values = part === "input" ? inputs : outputs
  return (
    <>
      <p role="status">
        <Tag tone={tone}>{word}</Tag> {millis !== undefined && duration(millis)}{" "}
        <Link to="/runs/$runId" params={{ runId: result.run }} search={{}}>
          {texts.runRun(result.run)}
        </Link>
      </p>
      {result.isStale && <p className="note warn">{texts.fromBeforeYourLastChange}</p>}
      {result.items.length > 1 && <Items items={result.items} at={itemIndex} onChange={setChosenItem} />}
      {(part === "output" || status === "failure") &&
        messages.map(({ level, message }) => (
          <p key={message} className={level === "error" ? "error-line" : "said"}>
            <WithSecrets text={message} />
          </p>
        ))}
      {Object.keys(values).length === 0 ? (
        <p className="muted">{part === "input" ? texts.itWasGivenNoValues : texts.itGaveNoValues}</p>
      ) : (
        <JsonTree value={values} />
      )}
    </>
  )
}

export const StepData = ({ id, part }: { readonly id: string; readonly part: "input" | "output" }) => {
  const { draft } = useEditor()
  const { results, testStep } = useSample()
  const result = results.get(id)
  const isInside = (placeOf(draft.now.actions, id)?.parent ?? null) !== null
  return (
    <div className="step-data">
      {testStep.isError && testStep.variables === id && <Failure what={texts.itWasNotTested} error={testStep.error} />}
      {result === undefined ? (
        <p className="muted">
          {texts.nothingYet(<em>{texts.testAll}</em>, <em>{texts.testThisStep}</em>, isInside && texts.ofALoopsStep)}
        </p>
      ) : (
        <Result key={result.run} result={result} part={part} />
      )}
    </div>
  )
}
