// The editor: flow beside form, on a phone a list with the form over it; what can be done with all of it above.
import { isApiError } from "@millrace/client"
import { Link } from "@tanstack/react-router"
import { type ReactNode, useCallback, useMemo, useRef, useState, useSyncExternalStore } from "react"
import type { App } from "../../../api/types.ts"
import { Page } from "../../../ui/Page.tsx"
import { useUnsavedText } from "../../../ui/unsavedText.ts"
import { OwnerLost, useValidity } from "../OwnerLost.tsx"
import { PausedForFailures } from "../PausedForFailures.tsx"
import { AddStep } from "./AddStep.tsx"
import type { ActionType, TriggerType } from "./catalogue.ts"
import type { Command } from "./commands.ts"
import { EditorContext, useApps, useStepsBefore } from "./context.ts"
import { DefinitionText } from "./DefinitionText.tsx"
import { EditorBar } from "./EditorBar.tsx"
import { FlowCanvas } from "./FlowCanvas.tsx"
import { FlowList } from "./FlowList.tsx"
import { FlowContext } from "./flowStore.ts"
import { Keys } from "./Keys.tsx"
import { type Check, findings, refusals } from "./model/problems.ts"
import { branchesOf, type Place, stepOf } from "./model/steps.ts"
import { Panel } from "./Panel.tsx"
import { ProblemList } from "./ProblemList.tsx"
import { RestoredDraft, SaveState } from "./SaveState.tsx"
import { StepTools } from "./StepTools.tsx"
import { SampleBar } from "./sample/SampleBar.tsx"
import { ResultsContext, SampleContext, useSampleState } from "./sample/useSample.ts"
import { type Automation, mint, useDraft } from "./useDraft.ts"
import { useFlowState } from "./useFlowState.ts"
import { useFolds } from "./useFolds.ts"
import { useKeyboard } from "./useKeyboard.ts"
import { useStepDrag } from "./useStepDrag.ts"
import { useStepEdits } from "./useStepEdits.ts"
import "./editor.css"
import { editor as texts } from "../../../texts/automations/editor.ts"

const narrow = matchMedia("(max-width: 60rem)")
const watchNarrow = (changed: () => void) => {
  narrow.addEventListener("change", changed)
  return () => narrow.removeEventListener("change", changed)
}
const useNarrow = () => useSyncExternalStore(watchNarrow, () => narrow.matches)

/** Keys of a trigger's config that the service assigns, according to the catalogue. */
const assignedKeys = (triggers: ReadonlyArray<TriggerType>) =>
  triggers.flatMap(({ config_schema }) =>
    Object.entries(config_schema.properties ?? {}).flatMap(([key, one]) => (one.readOnly === true ? [key] : []))
  )

interface EditorProps {
  readonly automation: Automation
  readonly app: App
  readonly actions: ReadonlyArray<ActionType>
  readonly triggers: ReadonlyArray<TriggerType>
  readonly retryTypes: ReadonlyArray<string>
  readonly user: number
  /** Run whose data is shown at first, and the step that is selected then, as the address names them. */
  readonly run: string | undefined
  readonly step: string | undefined
}
export const Editor = ({ actions, app, automation, retryTypes, run: namedRun, step, triggers, user }: EditorProps) => {
  const isNarrow = useNarrow()
  const draft = useDraft(
    automation,
    useMemo(() => assignedKeys(triggers), [triggers]),
    user
  )
  const { activate, dirty, now, save, server } = draft
  useUnsavedText(dirty && !draft.isKept)
  const sample = useSampleState({ app, draft, run: namedRun })
  const [chosen, setChosen] = useState(step ?? (isNarrow ? "" : "trigger"))
  const [adding, setAdding] = useState<Place>()
  const [open, setOpen] = useState<"text" | "keys">()
  const panel = useRef<HTMLElement>(null)
  const apps = useApps(app, now)
  const check = useValidity(server)
  const problems = useMemo(() => {
    if (isApiError(save.error, "validation", "input_validation")) return refusals(save.error.message, now.actions)
    if (isApiError(activate.error, "conflict_error") && !dirty)
      return findings({ errors: (activate.error.body.errors ?? []) as Check["errors"] })
    return check.data === undefined ? [] : findings(check.data as Check)
  }, [activate.error, check.data, dirty, now.actions, save.error])

  /** The keyboard goes on where the form begins; never before it is drawn. */
  const toForm = useCallback(
    (key?: string) =>
      window.setTimeout(() => {
        const focusable = ":is(input, select, textarea, button, .code-area)"
        const keyed = key === undefined ? undefined : panel.current?.querySelector(`.panel-form [id$="-${key}"]`)
        const controls = keyed?.matches(focusable)
          ? [keyed as HTMLElement]
          : (keyed ?? panel.current)?.querySelectorAll<HTMLElement>(`${keyed ? "" : ".panel-form "}${focusable}`)
        const control = controls?.[0]
        const shadow = control?.shadowRoot?.querySelector<HTMLElement>("[contenteditable]")
        ;(shadow ?? control ?? panel.current)?.focus()
      }, 50),
    []
  )
  const choose = useCallback((id: string) => setChosen(id), [])
  const { fold, folded } = useFolds(now.actions, chosen)
  const edits = useStepEdits(draft, chosen, choose, folded)
  const dragStep = useStepDrag(edits.move)
  const [isListWanted, setListWanted] = useState<boolean>()
  const isList = isListWanted ?? isNarrow
  const flow = useFlowState({ draft, app, apps, actions, triggers, problems, chosen, choose, folded, fold })
  const add = useCallback((place: Place) => setAdding(place), [])
  const insertStep = (type: string) => {
    if (adding === undefined) return
    const config = Object.fromEntries(branchesOf(type).map((branch) => [branch, []]))
    const required = actions.find((one) => one.type === type)?.config_schema.required ?? []
    const needed = Object.fromEntries(required.map((key) => [key, key === "rollup_type" ? "count_all" : []]))
    edits.insert(adding, [{ id: mint(), type, config: { ...needed, ...config } }])
    setAdding(undefined)
    toForm()
  }
  const run: Partial<Record<Command, () => void>> = {
    ...edits.run,
    add: () => setAdding(edits.below()),
    edit: toForm,
    undo: draft.undo,
    redo: draft.redo,
    fold: () => branchesOf(stepOf(now.actions, chosen)?.type ?? "").length > 0 && fold(chosen),
    save: () => save.mutate(undefined),
    activate: () => activate.mutate(server.status !== "active"),
    try: () => sample.testAll.mutate(),
    text: () => setOpen("text"),
    help: () => setOpen("keys")
  }
  useKeyboard({ run, edits, chosen })
  const earlierSteps = useStepsBefore(now.actions, chosen)
  const value = { draft, app, actions, triggers, retryTypes, problems, chosen, choose, apps, earlierSteps }
  const general = problems.filter(({ at }) => at === "")
  // Each key makes these values anew, and what is below them is searched for who reads them: the flow, which does not, is no part of it.
  const inEditor = (parts: ReactNode) => (
    <EditorContext value={value}>
      <SampleContext value={sample}>{parts}</SampleContext>
    </EditorContext>
  )
  return (
    <Page
      title={texts.edit(server.name)}
      wide
      trail={
        <>
          <Link to="/automations" search={{}}>
            {texts.automations}
          </Link>{" "}
          ›{" "}
          <Link to="/automations/$automationId" params={{ automationId: String(server.id) }}>
            {server.name}
          </Link>
        </>
      }
    >
      {inEditor(
        <>
          <EditorBar
            draft={draft}
            run={run}
            isList={isList}
            toggleList={() => setListWanted(!isList)}
            openSettings={() => choose("settings")}
          />
          <RestoredDraft draft={draft} />
          <ProblemList toForm={toForm} />
          <SaveState draft={draft} />
          <OwnerLost automation={server} taken={draft.taken} />
          <PausedForFailures automation={server} />
          {general.map(({ message, tone }) => (
            <p key={message} className={`note ${tone}`}>
              {message}
            </p>
          ))}
          <SampleBar />
        </>
      )}
      <div className="editor">
        <section className="editor-flow" aria-label={texts.flow} onPointerDown={dragStep}>
          <FlowContext value={flow}>
            <ResultsContext value={sample.results}>
              {isList ? <FlowList add={add} /> : <FlowCanvas add={add} />}
            </ResultsContext>
          </FlowContext>
        </section>
        {chosen !== "" &&
          inEditor(
            <aside ref={panel} className="editor-panel card" aria-label={texts.form} tabIndex={-1}>
              <div className="panel-head">
                {stepOf(now.actions, chosen) !== undefined && <StepTools run={run} />}
                {isNarrow && (
                  <button type="button" className="quiet small" onClick={() => choose("")}>
                    {texts.done}
                  </button>
                )}
              </div>
              <Panel />
            </aside>
          )}
      </div>
      {inEditor(
        <>
          {adding !== undefined && <AddStep add={insertStep} close={() => setAdding(undefined)} />}
          {open === "text" && <DefinitionText close={() => setOpen(undefined)} />}
          {open === "keys" && <Keys close={() => setOpen(undefined)} />}
        </>
      )}
    </Page>
  )
}
