// A field as it is made or changed: its type, which is changed apart (ChangeType.tsx), its label, whether it must have a value, and the
// settings of its type.

import { ApiError } from "@millrace/client"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useId, useState } from "react"
import { targetsOf } from "../../../../src/domain/records/conversion/conversionTable.ts"
import { client } from "../../api/client.ts"
import type { App, Field } from "../../api/types.ts"
import { fieldDialog as texts } from "../../texts/apps/fields.ts"
import { Combobox } from "../../ui/Combobox.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { DocsLink } from "../../ui/DocsLink.tsx"
import { fieldIcons } from "../../ui/fieldIcons.ts"
import { Failure } from "../../ui/states.tsx"
import { useUnsavedText } from "../../ui/unsavedText.ts"
import { appChanged } from "./appQueries.ts"
import { ChangeType } from "./ChangeType.tsx"
import { fieldKinds, kindOf } from "./fieldKinds.tsx"
import { optionsAsDraft, optionsAsInput } from "./settings/options.ts"
import type { Settings } from "./settings/settings.ts"

type FieldType = Field["field_type"]

const draftOf = (field: Field | undefined): Settings =>
  field === undefined ? {} : optionsAsDraftIfAny(field.config.settings as Settings)
const optionsAsDraftIfAny = (settings: Settings) => ("options" in settings ? optionsAsDraft(settings) : settings)
const inputOf = (settings: Settings) => ("options" in settings ? optionsAsInput(settings) : settings)

const EXPRESSION = "fields[0].config.expression: "
/** Fault of the expression, which the form shows at its place. */
const expressionProblem = (error: unknown): string | undefined =>
  error instanceof ApiError && error.message.startsWith(EXPRESSION) ? error.message.slice(EXPRESSION.length) : undefined

interface FieldDialogProps {
  readonly app: App
  /** None: a new one. */
  readonly field?: Field
  readonly close: () => void
  readonly saved: (label: string) => void
  /** Opens the form anew for a further field; without it the form adds one. */
  readonly addAnother?: () => void
}
export const FieldDialog = ({ addAnother, app, field, close, saved }: FieldDialogProps) => {
  const id = useId()
  const queries = useQueryClient()
  const [fieldType, setFieldType] = useState<FieldType>(field?.field_type ?? "single_text")
  const [label, setLabel] = useState(field?.label ?? "")
  const [description, setDescription] = useState(field?.config.description ?? "")
  const [required, setRequired] = useState(field?.config.required ?? false)
  const [unique, setUnique] = useState(field?.config.unique ?? false)
  const [hidden, setHidden] = useState(field?.config.always_hidden ?? false)
  const [settings, setSettings] = useState<Settings>(() => draftOf(field))
  const [isConverting, setConverting] = useState(false)
  const kind = kindOf(fieldType)
  const choices = (Object.keys(fieldKinds) as ReadonlyArray<FieldType>).filter(
    (type) => kindOf(type).once !== true || !app.fields.some(({ field_type }) => field_type === type)
  )
  const save = useMutation({
    mutationFn: (_: { readonly next: () => void }) => {
      const config = {
        label: label.trim(),
        description: description.trim() === "" ? null : description,
        required: kind.required === undefined ? required : kind.required === "always",
        ...(kind.unique === true ? { unique } : {}),
        always_hidden: hidden,
        hidden_if_empty: field?.config.hidden_if_empty ?? false,
        ...(kind.Form === undefined ? {} : { settings: inputOf(settings) })
      }
      const entry = field === undefined ? { field_type: fieldType, config } : { field_id: field.field_id, config }
      return client.apps.update({ app_id: app.app_id, body: { fields: [entry as never] } })
    },
    onSuccess: async (_, { next }) => {
      await appChanged(queries, app.app_id)
      saved(label.trim())
      next()
    }
  })
  const draft = JSON.stringify({ fieldType, label, description, required, unique, hidden, settings })
  const [firstDraft] = useState(draft)
  useUnsavedText(!save.isPending && draft !== firstDraft)
  const problem = expressionProblem(save.error)
  if (field !== undefined && isConverting)
    return (
      <Dialog title={texts.changeTheTypeOfLabel(field.label)} close={close}>
        <ChangeType app={app} field={field} changed={saved} />
      </Dialog>
    )
  return (
    <Dialog title={field === undefined ? texts.addAField : texts.changeLabel(field.label)} close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const { submitter } = event.nativeEvent as SubmitEvent
          save.mutate({ next: (submitter?.id === `${id}-another` ? addAnother : undefined) ?? close })
        }}
      >
        <div className="field">
          <label htmlFor={`${id}-type`}>{texts.type}</label>
          {field === undefined ? (
            <Combobox
              id={`${id}-type`}
              value={fieldType}
              required
              choices={choices.map((type) => ({ key: type, text: kindOf(type).name, Icon: fieldIcons[type] }))}
              onChange={(chosenType) => {
                if (chosenType === undefined) return
                setFieldType(chosenType)
                setSettings(kindOf(chosenType).first?.() ?? {})
              }}
            />
          ) : (
            <div className="row">
              <input id={`${id}-type`} value={kind.name} disabled />
              {targetsOf(fieldType).length > 0 && (
                <button type="button" className="quiet small" onClick={() => setConverting(true)}>
                  {texts.changeType}
                </button>
              )}
            </div>
          )}
          <small>
            {kind.about} <DocsLink to={`fields#${fieldType}`}>{texts.learnMore}</DocsLink>
          </small>
        </div>
        <div className="field">
          <label htmlFor={`${id}-label`}>{texts.label}</label>
          <input
            id={`${id}-label`}
            required
            maxLength={500}
            autoComplete="off"
            value={label}
            onChange={({ target }) => setLabel(target.value)}
          />
        </div>
        {kind.Form !== undefined && (
          <kind.Form
            settings={settings}
            onChange={setSettings}
            fields={app.fields.filter(({ field_id }) => field_id !== field?.field_id)}
            isNew={field === undefined}
            problem={problem}
          />
        )}
        <div className="field">
          <label htmlFor={`${id}-about`}>{texts.whatBelongsThere}</label>
          <input
            id={`${id}-about`}
            maxLength={25_000}
            value={description}
            onChange={({ target }) => setDescription(target.value)}
          />
        </div>
        {kind.required === undefined && (
          <div className="pick">
            <input
              id={`${id}-required`}
              type="checkbox"
              checked={required}
              onChange={({ target }) => setRequired(target.checked)}
            />
            <label htmlFor={`${id}-required`}>{texts.everyRecordMust}</label>
          </div>
        )}
        {kind.unique === true && (
          <div className="pick">
            <input
              id={`${id}-unique`}
              type="checkbox"
              checked={unique}
              onChange={({ target }) => setUnique(target.checked)}
            />
            <label htmlFor={`${id}-unique`}>{texts.noTwoRecordsMay}</label>
          </div>
        )}
        <div className="pick">
          <input
            id={`${id}-hidden`}
            type="checkbox"
            checked={hidden}
            onChange={({ target }) => setHidden(target.checked)}
          />
          <label htmlFor={`${id}-hidden`}>{texts.hideItFromGrids}</label>
        </div>
        {save.isError && problem === undefined && (
          <Failure what={texts.fieldWasNotSaved} error={save.error} labels={{ description: texts.whatBelongsThere }} />
        )}
        <div className="buttons">
          <button type="submit" disabled={save.isPending}>
            {field === undefined ? texts.addField : texts.saveField}
          </button>
          {addAnother !== undefined && (
            <button type="submit" id={`${id}-another`} className="quiet" disabled={save.isPending}>
              {texts.addFieldAndAnother}
            </button>
          )}
        </div>
      </form>
    </Dialog>
  )
}
