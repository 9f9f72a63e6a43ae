// The log of a webhook, newest first: each delivery with its attempts, and the way to send it again.
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useId, useState } from "react"
import { client } from "../../api/client.ts"
import { type Delivery, type DeliveryStatus, deliveriesOf, delivery as deliveryQuery } from "../../api/hooks.ts"
import { ShowMore } from "../../ui/ShowMore.tsx"
import { Asked, Failure, Loading } from "../../ui/states.tsx"
import { Tag } from "../../ui/Tag.tsx"
import { Time } from "../../ui/Time.tsx"
import { AttemptRows } from "./AttemptRows.tsx"
import { deliveryStatuses, deliveryWords, typeWords } from "./hookWords.ts"

const ENDED: ReadonlySet<DeliveryStatus> = new Set(["delivered", "failed", "withheld", "expired"])

const Details = ({ delivery }: { readonly delivery: Delivery }) => {
  const queries = useQueryClient()
  const query = useQuery(deliveryQuery(delivery.delivery_id))
  const resend = useMutation({
    mutationFn: () => client.webhooks.deliveryReplay({ delivery_id: delivery.delivery_id }),
    onSettled: () => queries.invalidateQueries({ queryKey: ["hooks"] })
  })
  return (
    <div className="details">
      <p className="muted">
        {deliveryWords[delivery.status].means} <code>webhook-id: {delivery.delivery_id}</code>
      </p>
      <pre>{JSON.stringify(delivery.payload, null, 2)}</pre>
      <Asked query={query} what="its attempts">
        {({ attempts }) =>
          attempts.length === 0 ? (
            <p className="muted">No attempt yet.</p>
          ) : (
            <AttemptRows caption={`Attempts of ${delivery.delivery_id}`} attempts={attempts} />
          )
        }
      </Asked>
      {ENDED.has(delivery.status) ? (
        <button type="button" className="quiet small" disabled={resend.isPending} onClick={() => resend.mutate()}>
          Send again
        </button>
      ) : null}
      {resend.isError ? <Failure what="It was not sent again." error={resend.error} /> : null}
    </div>
  )
}

const Item = ({ delivery }: { readonly delivery: Delivery }) => {
  const [open, setOpen] = useState(false)
  const { tone, word } = deliveryWords[delivery.status]
  return (
    <li>
      <details className="delivery" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <Tag tone={tone}>{word}</Tag>
          <span>{typeWords[delivery.type]}</span>
          <span className="muted">
            <Time full at={delivery.created_on} />
            {delivery.num_attempts > 1 ? `, ${delivery.num_attempts} attempts` : ""}
          </span>
        </summary>
        {open ? <Details delivery={delivery} /> : null}
      </details>
    </li>
  )
}

export const HookDeliveries = ({ hookId }: { readonly hookId: number }) => {
  const [status, setStatus] = useState<DeliveryStatus | null>(null)
  const query = useInfiniteQuery(deliveriesOf(hookId, status))
  const id = useId()
  const loadedDeliveries = query.data?.pages.flatMap(({ deliveries }) => deliveries)
  return (
    <section className="card" aria-labelledby="deliveries">
      <div className="row">
        <h2 id="deliveries">
          Deliveries {query.data === undefined ? null : <small>{query.data.pages[0]?.total}</small>}
        </h2>
        <div className="choice">
          <label htmlFor={id} className="unseen">
            Which deliveries
          </label>
          <select
            id={id}
            value={status ?? ""}
            onChange={({ target }) => setStatus(target.value === "" ? null : (target.value as DeliveryStatus))}
          >
            <option value="">All</option>
            {deliveryStatuses.map((one) => (
              <option key={one} value={one}>
                {deliveryWords[one].word}
              </option>
            ))}
          </select>
        </div>
      </div>
      {query.isError && loadedDeliveries === undefined ? (
        <Failure what="Loading the deliveries failed." error={query.error} again={() => void query.refetch()} />
      ) : loadedDeliveries === undefined ? (
        <Loading what="the deliveries" />
      ) : loadedDeliveries.length === 0 ? (
        <p className="muted">{status === null ? "Nothing was sent yet." : "None of these."}</p>
      ) : (
        <ul className="plain deliveries">
          {loadedDeliveries.map((one) => (
            <Item key={one.delivery_id} delivery={one} />
          ))}
        </ul>
      )}
      <ShowMore query={query} shown={loadedDeliveries?.length ?? 0} what="earlier ones" />
    </section>
  )
}
