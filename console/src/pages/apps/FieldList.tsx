// The fields of an app in their order: the first one that can be a title is the records' name.
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { client } from "../../api/client.ts"
import { appOf } from "../../api/queries.ts"
import type { App, Field } from "../../api/types.ts"
import { fieldList as texts } from "../../texts/apps/fields.ts"
import { FieldIcon } from "../../ui/FieldIcon.tsx"
import { icons } from "../../ui/icons.tsx"
import { Failure } from "../../ui/states.tsx"
import { Tag } from "../../ui/Tag.tsx"
import { appChanged } from "./appQueries.ts"
import { FieldDialog } from "./FieldDialog.tsx"
import { kindOf } from "./fieldKinds.tsx"
import { RemoveField } from "./RemoveField.tsx"
import { useOrder } from "./useOrder.ts"

/** `count` counts the fields that were added by one dialog after another. */
type Open = { readonly as: "new"; readonly count: number } | { readonly as: "change" | "remove"; readonly field: Field }

export const FieldList = ({ app }: { readonly app: App }) => {
  const [open, setOpen] = useState<Open>()
  const [said, setSaid] = useState("")
  const queries = useQueryClient()
  const orders = ["order", app.app_id]
  const order = useMutation({
    mutationFn: (fields: ReadonlyArray<Field>) =>
      client.apps.reorder({ app_id: app.app_id, body: { fields: fields.map(({ field_id }) => ({ field_id })) } }),
    // Sends orders one after another; only the answer to the last one is shown.
    scope: { id: orders.join() },
    mutationKey: orders,
    // Shows the new order at once. The service's answer comes later, and answers to earlier queries are dropped.
    onMutate: async (fields) => {
      const { queryKey } = appOf(app.app_id)
      await queries.cancelQueries({ queryKey })
      queries.setQueryData(queryKey, { ...app, fields: [...fields] })
    },
    onSettled: () => (queries.isMutating({ mutationKey: orders }) > 1 ? undefined : appChanged(queries, app.app_id))
  })
  const { handle, list, shown } = useOrder(
    app.fields,
    ({ field_id }) => field_id,
    (fields) => {
      order.mutate(fields)
      setSaid(texts.orderWasChanged)
    }
  )
  const close = () => setOpen(undefined)
  return (
    <section className="card" aria-labelledby="fields">
      <div className="head">
        <h2 id="fields">{texts.fields}</h2>
        <button type="button" className="small" onClick={() => setOpen({ as: "new", count: 0 })}>
          {texts.addAField}
        </button>
      </div>
      <p className="muted" id="order-hint">
        {texts.dragAHandleOrPress}
      </p>
      {(app.calculations_pending ?? 0) > 0 && (
        <p className="muted" role="status">
          {texts.calculationsOfCalculationsPendingRecords(app.calculations_pending)}
        </p>
      )}
      <ol className="plain field-list" ref={list}>
        {shown.map((field) => (
          <li key={field.field_id}>
            <button
              type="button"
              className="quiet small handle"
              aria-label={texts.moveLabel(field.label)}
              aria-describedby="order-hint"
              {...handle(field.field_id)}
            >
              {icons.drag}
            </button>
            <span className="field-name">
              <strong>{field.label}</strong>
              <small>
                <FieldIcon type={field.field_type} size={14} /> {kindOf(field.field_type).name}
              </small>
            </span>
            <span className="field-tags">
              {field.config.required && <Tag>{texts.required}</Tag>}
              {field.config.unique && <Tag>{texts.unique}</Tag>}
              {field.config.always_hidden && <Tag>{texts.hidden}</Tag>}
            </span>
            <span className="field-actions">
              <button
                type="button"
                className="link"
                aria-label={texts.changeLabel(field.label)}
                onClick={() => setOpen({ as: "change", field })}
              >
                {texts.change}
              </button>
              <button
                type="button"
                className="link"
                aria-label={texts.removeLabel(field.label)}
                onClick={() => setOpen({ as: "remove", field })}
              >
                {texts.remove}
              </button>
            </span>
          </li>
        ))}
      </ol>
      <p role="status" className="muted">
        {said}
      </p>
      {order.isError && <Failure what={texts.orderWasNotChanged} error={order.error} />}
      {open?.as === "new" && (
        <FieldDialog
          key={open.count}
          app={app}
          close={close}
          saved={(label) => setSaid(texts.labelWasAdded(label))}
          addAnother={() => setOpen({ as: "new", count: open.count + 1 })}
        />
      )}
      {open?.as === "change" && (
        <FieldDialog
          app={app}
          field={open.field}
          close={close}
          saved={(label) => setSaid(texts.labelWasChanged(label))}
        />
      )}
      {open?.as === "remove" && (
        <RemoveField
          app={app}
          field={open.field}
          close={close}
          removed={(label) => setSaid(texts.labelWasRemoved(label))}
        />
      )}
    </section>
  )
}
