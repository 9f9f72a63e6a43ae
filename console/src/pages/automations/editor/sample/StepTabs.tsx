// The panel of a step: its form, and what it was given and gave in its last test, as tabs; with the button that tests it alone.
import { type KeyboardEvent, type ReactNode, useState } from "react"
import { useEditor } from "../context.ts"
import { StepData } from "./StepData.tsx"
import { useSample } from "./useSample.ts"
import "./sample.css"
import { stepTabs as texts } from "../../../../texts/automations/editorSteps.ts"

const tabs = [
  ["form", texts.settings],
  ["input", texts.input],
  ["output", texts.output]
] as const
type TabName = (typeof tabs)[number][0]

interface StepTabsProps {
  readonly id: string
  readonly children: ReactNode
}
export const StepTabs = ({ children, id }: StepTabsProps) => {
  const { draft } = useEditor()
  const { results, sampleRun, testStep } = useSample()
  const failedHere = sampleRun?.status === "failed" && results.get(id)?.status === "failure"
  const [chosenTab, setTab] = useState<TabName>("form")
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    event.stopPropagation()
    const tabIndex = tabs.findIndex(([name]) => name === chosenTab)
    const [next] = tabs[(tabIndex + step + tabs.length) % tabs.length]!
    setTab(next)
    event.currentTarget.querySelector<HTMLElement>(`[data-tab="${next}"]`)?.focus()
  }
  return (
    <>
      <div className="step-tabs-row">
        <div className="step-tabs" role="tablist" aria-label={texts.step} onKeyDown={onKeyDown}>
          {tabs.map(([name, words]) => (
            <button
              key={name}
              type="button"
              role="tab"
              id={`step-tab-${name}`}
              data-tab={name}
              aria-selected={chosenTab === name}
              aria-controls="step-tab-panel"
              tabIndex={chosenTab === name ? 0 : -1}
              onClick={() => setTab(name)}
            >
              {words}
            </button>
          ))}
        </div>
        <button
          type="button"
          className="quiet small"
          disabled={testStep.isPending}
          title={texts.savesAndTestsThisStep}
          onClick={() => {
            setTab("output")
            testStep.mutate(id)
          }}
        >
          {draft.dirty && draft.server.status === "active" ? texts.publishAndTestThisStep : texts.testThisStep}
        </button>
      </div>
      <div id="step-tab-panel" role="tabpanel" aria-labelledby={`step-tab-${chosenTab}`} className="panel-form">
        {failedHere && chosenTab === "form" && (
          <div className="note bad">
            <p>
              {texts.thisStepFailed(
                results
                  .get(id)
                  ?.items.findLast(({ status }) => status === "failure")
                  ?.messages.at(-1)?.message
              )}
            </p>
          </div>
        )}
        {chosenTab === "form" ? children : <StepData id={id} part={chosenTab} />}
      </div>
    </>
  )
}
