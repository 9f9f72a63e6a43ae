// The form of what is chosen in the flow: trigger, filter, a step, or the automation itself.

import { useQuery } from "@tanstack/react-query"
import { panel as texts } from "../../../texts/automations/editorSteps.ts"
import { Combobox } from "../../../ui/Combobox.tsx"
import { DocsLink } from "../../../ui/DocsLink.tsx"
import { automationOf } from "../automationQueries.ts"
import { TagsOfOne } from "../tags/TagsOfOne.tsx"
import { useEditor } from "./context.ts"
import { FilterBuilder } from "./form/FilterBuilder.tsx"
import { SchemaForm } from "./form/SchemaForm.tsx"
import { changeStep, stepOf } from "./model/steps.ts"
import { Problems } from "./Problems.tsx"
import { StepForm } from "./StepForm.tsx"
import { StepTabs } from "./sample/StepTabs.tsx"
import { UpcomingTimes } from "./UpcomingTimes.tsx"

const TriggerForm = () => {
  const { draft, problems, triggers } = useEditor()
  const { trigger } = draft.now
  const kind = triggers.find(({ type }) => type === trigger?.type)
  return (
    <>
      <h2>{texts.trigger}</h2>
      <Problems at="trigger" />
      <div className="field">
        <label htmlFor="trigger-type">{texts.itBeginsWhen}</label>
        <select
          id="trigger-type"
          value={trigger?.type ?? ""}
          onChange={({ target }) =>
            draft.edit({ ...draft.now, trigger: target.value === "" ? null : { type: target.value, config: {} } })
          }
        >
          <option value="">{texts.chooseATrigger}</option>
          {triggers.map(({ label, type }) => (
            <option key={type} value={type}>
              {label}
            </option>
          ))}
        </select>
        {kind !== undefined && (
          <small>
            {kind.description} <DocsLink to={`triggers#${kind.type}`}>{texts.learnMore}</DocsLink>
          </small>
        )}
      </div>
      {kind !== undefined && trigger !== null && (
        <SchemaForm
          key={trigger.type}
          root={kind.config_schema}
          config={trigger.config}
          onChange={(config, key) => draft.edit({ ...draft.now, trigger: { ...trigger, config } }, `trigger ${key}`)}
          problems={problems.filter(({ at }) => at === "trigger")}
        />
      )}
      {trigger?.type === "periodic" && <UpcomingTimes config={trigger.config} timezone={draft.now.timezone} />}
    </>
  )
}

const FilterForm = () => {
  const { draft } = useEditor()
  return (
    <>
      <h2>{texts.goesOnOnlyIf}</h2>
      <p className="muted">{texts.withoutAConditionItGoes}</p>
      <Problems at="filter" />
      <FilterBuilder
        label={texts.goesOnOnlyIf}
        group={draft.now.filter}
        onChange={(filter) => draft.edit({ ...draft.now, filter }, "filter")}
        about={undefined}
      />
    </>
  )
}

/** Shows the tags that the service has now: the draft holds none. */
const EditedTags = ({ automationId }: { readonly automationId: number }) => {
  const { data } = useQuery(automationOf(automationId))
  return data === undefined ? null : <TagsOfOne automation={data} />
}

const SettingsForm = () => {
  const { draft } = useEditor()
  const { description = "", name, pause_after_failures, timezone } = draft.now
  const zones = [...new Set([timezone, "UTC", ...Intl.supportedValuesOf("timeZone")])]
  const editSettings = (more: object, of: string) => {
    const { description: _, ...rest } = draft.now
    draft.edit({ ...rest, ...(description === "" ? {} : { description }), ...more }, of)
  }
  return (
    <>
      <h2>{texts.theAutomation}</h2>
      <Problems at="" />
      <div className="field">
        <label htmlFor="automation-name">{texts.name}</label>
        <input
          id="automation-name"
          required
          maxLength={5000}
          value={name}
          onChange={({ target }) => editSettings({ name: target.value }, "name")}
        />
      </div>
      <fieldset className="field">
        <legend>{texts.tags}</legend>
        <EditedTags automationId={draft.server.id} />
        <small>{texts.tagsAreSavedAtOnce}</small>
      </fieldset>
      <div className="field">
        <label htmlFor="automation-description">{texts.whatItIsFor}</label>
        <textarea
          id="automation-description"
          rows={4}
          maxLength={25_000}
          value={description}
          onChange={({ target }) => editSettings({ description: target.value || undefined }, "description")}
        />
      </div>
      <div className="field">
        <label htmlFor="automation-zone">{texts.timeZone}</label>
        <Combobox
          id="automation-zone"
          value={timezone}
          required
          choices={zones.map((zone) => ({ key: zone, text: zone }))}
          onChange={(zone) => zone !== undefined && editSettings({ timezone: zone }, "timezone")}
        />
      </div>
      <div className="field">
        <label htmlFor="automation-failures">{texts.pauseAfterThisManyFailed}</label>
        <input
          id="automation-failures"
          type="number"
          min={1}
          max={1000}
          value={pause_after_failures ?? ""}
          onChange={({ target }) =>
            editSettings(
              { pause_after_failures: target.value === "" ? undefined : Math.trunc(Number(target.value)) },
              "failures"
            )
          }
        />
        <small>{texts.emptyFailuresNeverPause}</small>
      </div>
    </>
  )
}

export const Panel = () => {
  const { chosen, draft } = useEditor()
  const step = stepOf(draft.now.actions, chosen)
  if (step === undefined)
    return (
      <div className="panel-form">
        {chosen === "trigger" ? <TriggerForm /> : chosen === "filter" ? <FilterForm /> : <SettingsForm />}
      </div>
    )
  return (
    <StepTabs key={step.id} id={step.id}>
      <StepForm
        step={step}
        change={(change, of) =>
          draft.edit({ ...draft.now, actions: changeStep(draft.now.actions, step.id, change) }, `${step.id} ${of}`)
        }
      />
    </StepTabs>
  )
}
