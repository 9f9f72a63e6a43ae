// The form of a step: its name, its config by the schema of its type, how it is tried again, whether the run goes on after a failure.

import { useQuery } from "@tanstack/react-query"
import { stepForm as texts } from "../../../texts/automations/editorSteps.ts"
import { DocsLink } from "../../../ui/DocsLink.tsx"
import { actionTypes } from "./catalogue.ts"
import { useEditor } from "./context.ts"
import { SchemaForm } from "./form/SchemaForm.tsx"
import { fieldsOf, type JsonSchema, resolved } from "./model/schemaForm.ts"
import type { Config, Step } from "./model/steps.ts"
import { Preview } from "./Preview.tsx"
import { Problems } from "./Problems.tsx"

interface StepFormProps {
  readonly step: Step
  readonly change: (change: (step: Step) => Step, of: string) => void
}

const without = <K extends keyof Step>(step: Step, key: K): Step => {
  const { [key]: _, ...rest } = step
  return rest as Step
}

const Flag = ({
  change,
  name,
  step,
  words
}: StepFormProps & { readonly name: "deactivate" | "continue_on_error"; readonly words: string }) => (
  <div className="pick">
    <input
      id={`step-${name}`}
      type="checkbox"
      checked={step[name] === true}
      onChange={({ target }) => change((now) => (target.checked ? { ...now, [name]: true } : without(now, name)), name)}
    />
    <label htmlFor={`step-${name}`}>{words}</label>
  </div>
)

const RETRY = { attempts: 3, first_ms: 1000, factor: 2, at_most_ms: 60_000 }
const HTTP_RETRY = { ...RETRY, retry_after_at_most_ms: 300_000 }
const isHttp = ({ type }: Step) => /^(?:authenticated_)?http_call$/.test(type)
const WINDOW = { from: "08:00", to: "18:00" }

interface RetryFormProps {
  readonly root: JsonSchema
  readonly retry: Config
  readonly setRetry: (retry: Config) => void
}

const RetryWindow = ({ retry, root, setRetry }: RetryFormProps) => {
  const { window: hours, ...rest } = retry
  const schema = root.properties?.["window"]
  return (
    <>
      <div className="pick">
        <input
          id="step-retry-window"
          type="checkbox"
          aria-describedby="step-retry-window-note"
          checked={hours !== undefined}
          onChange={({ target }) => setRetry(target.checked ? { ...rest, window: WINDOW } : rest)}
        />
        <div>
          <label htmlFor="step-retry-window">{texts.retryOnlyAtCertainHours}</label>
          <div id="step-retry-window-note">
            <small>{texts.inTheAutomationsTimeZone}</small>
          </div>
        </div>
      </div>
      {hours !== undefined && schema !== undefined && (
        <fieldset className="list-entry" aria-label={texts.hoursForFurtherAttempts}>
          <SchemaForm
            root={root}
            schema={schema}
            config={hours as Config}
            onChange={(next) => setRetry({ ...rest, window: next })}
          />
        </fieldset>
      )}
    </>
  )
}

/** Keys of a retry policy that only the answers of HTTP requests give a meaning. */
const ofResponses: ReadonlySet<string> = new Set(["on_status", "retry_after_at_most_ms"])

const Retry = ({ change, step }: StepFormProps) => {
  const schema = useQuery(actionTypes).data?.retry.schema as JsonSchema | undefined
  if (schema === undefined) return null
  const root: JsonSchema = {
    ...resolved(schema, schema),
    ...(schema.$defs === undefined ? {} : { $defs: schema.$defs })
  }
  const policyKeys = Object.entries(root.properties ?? {}).filter(
    ([key]) => key !== "window" && (isHttp(step) || !ofResponses.has(key))
  )
  const setRetry = (retry: Config) => change((now) => ({ ...now, retry }), "retry")
  return (
    <>
      <div className="pick">
        <input
          id="step-retry"
          type="checkbox"
          checked={step.retry !== undefined}
          onChange={({ target }) =>
            change(
              (now) => (target.checked ? { ...now, retry: isHttp(step) ? HTTP_RETRY : RETRY } : without(now, "retry")),
              "retry"
            )
          }
        />
        <label htmlFor="step-retry">{texts.retryWhenAFaultMay}</label>
      </div>
      {step.retry !== undefined && (
        <>
          <SchemaForm
            root={{ ...root, properties: Object.fromEntries(policyKeys) }}
            config={step.retry as Config}
            onChange={setRetry}
          />
          <RetryWindow root={root} retry={step.retry as Config} setRetry={setRetry} />
        </>
      )}
    </>
  )
}

export const StepForm = ({ change, step }: StepFormProps) => {
  const { actions, problems, retryTypes } = useEditor()
  const kind = actions.find(({ type }) => type === step.type)
  const stepProblems = problems.filter(({ at }) => at === step.id)
  const setConfig = (config: Config, of: string) => change((now) => ({ ...now, config }), of)
  const otherwise = step.config["else_action_rows"] as ReadonlyArray<Step> | undefined
  return (
    <>
      <h2>{kind?.label ?? step.type}</h2>
      {kind !== undefined && (
        <p className="muted">
          {kind.description} <DocsLink to={`actions#${kind.type}`}>{texts.learnMore}</DocsLink>
        </p>
      )}
      <Problems at={step.id} keys={kind === undefined ? [] : fieldsOf(kind.config_schema).map(({ key }) => key)} />
      {kind !== undefined && (
        <SchemaForm root={kind.config_schema} config={step.config} onChange={setConfig} problems={stepProblems} />
      )}
      {step.type === "conditional" && (
        <div className="pick">
          <input
            id="step-else"
            type="checkbox"
            checked={otherwise !== undefined}
            disabled={(otherwise ?? []).length > 0}
            onChange={({ target }) => {
              const { else_action_rows: _, ...rest } = step.config
              setConfig(target.checked ? { ...rest, else_action_rows: [] } : rest, "else")
            }}
          />
          <label htmlFor="step-else">{texts.withStepsForOtherwise}</label>
        </div>
      )}
      <Preview step={step} />
      <details className="rare">
        <summary>{texts.nameFailuresSwitchingOff}</summary>
        <div className="field">
          <label htmlFor="step-name">{texts.nameOfTheStep}</label>
          <input
            id="step-name"
            autoComplete="off"
            placeholder={kind?.label}
            value={step.custom_name ?? ""}
            onChange={({ target }) =>
              change(
                (now) => (target.value === "" ? without(now, "custom_name") : { ...now, custom_name: target.value }),
                "name"
              )
            }
          />
        </div>
        <Flag step={step} change={change} name="continue_on_error" words={texts.continueTheRun} />
        <Flag step={step} change={change} name="deactivate" words={texts.skipThisStepSwitchedOff} />
        {retryTypes.includes(step.type) && <Retry step={step} change={change} />}
      </details>
    </>
  )
}
