// Deliveries as a table, each with its record, its way to send it again, and its attempts where it is opened.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useId, useState } from "react"
import { client } from "../../api/client.ts"
import { type Delivery, delivery as deliveryQuery } from "../../api/hooks.ts"
import { deliveryTable as texts } from "../../texts/hooks/deliveries.ts"
import { ScrollTable } from "../../ui/ScrollTable.tsx"
import { Asked, Failure } from "../../ui/states.tsx"
import { Tag } from "../../ui/Tag.tsx"
import { Time } from "../../ui/Time.tsx"
import { AttemptRows } from "./AttemptRows.tsx"
import { deliveryWords, typeWords } from "./hookWords.ts"

const Details = ({ delivery }: { readonly delivery: Delivery }) => (
  <div className="details">
    <p className="muted">
      {deliveryWords[delivery.status].means} <code>webhook-id: {delivery.delivery_id}</code>
    </p>
    <pre>{JSON.stringify(delivery.payload, null, 2)}</pre>
    <Asked query={useQuery(deliveryQuery(delivery.delivery_id))} failed={texts.loadingTheAttemptsFailed}>
      {({ attempts }) =>
        attempts.length === 0 ? (
          <p className="muted">{texts.noAttemptYet}</p>
        ) : (
          <AttemptRows caption={texts.attemptsOfDeliveryId(delivery.delivery_id)} attempts={attempts} />
        )
      }
    </Asked>
  </div>
)

/** Sends an ended delivery again, and one that waits for its retry at once. */
const Resend = ({ delivery: { delivery_id, status } }: { readonly delivery: Delivery }) => {
  const queries = useQueryClient()
  const resend = useMutation({
    mutationFn: () => client.webhooks.deliveryReplay({ delivery_id }),
    onSettled: () => queries.invalidateQueries({ queryKey: ["hooks"] })
  })
  const label = status === "retrying" ? texts.sendNow : texts.sendAgain
  return (
    <>
      {status === "queued" ? null : (
        <button
          type="button"
          className="quiet small"
          aria-label={`${label}: ${delivery_id}`}
          disabled={resend.isPending}
          onClick={() => resend.mutate()}
        >
          {label}
        </button>
      )}
      {resend.isError ? <Failure what={texts.itWasNotSentAgain} error={resend.error} /> : null}
    </>
  )
}

interface DeliveryRowProps {
  readonly delivery: Delivery
  /** False while the address is not verified: nothing can be sent. */
  readonly active: boolean
}
const DeliveryRow = ({ delivery, active }: DeliveryRowProps) => {
  const [open, setOpen] = useState(false)
  const detailsId = useId()
  const { tone, word } = deliveryWords[delivery.status]
  const recordId = Number(delivery.payload["record_id"])
  return (
    <>
      <tr>
        <td>
          <button
            type="button"
            className="quiet small unfold"
            aria-expanded={open}
            aria-controls={detailsId}
            aria-label={texts.detailsOfDeliveryId(delivery.delivery_id)}
            onClick={() => setOpen(!open)}
          >
            {open ? "▾" : "▸"}
          </button>
          <Tag tone={tone}>{word}</Tag>
        </td>
        <td>{typeWords[delivery.type]}</td>
        <td>
          {Number.isSafeInteger(recordId) && recordId > 0 ? (
            <Link to="/records/$recordId" params={{ recordId: String(recordId) }}>
              {recordId}
            </Link>
          ) : (
            "–"
          )}
        </td>
        <td>
          <Time seconds at={delivery.created_on} />
        </td>
        <td className="number">
          {delivery.num_attempts}
          {delivery.next_attempt_on === null ? null : (
            <small>{texts.nextTime(<Time at={delivery.next_attempt_on} />)}</small>
          )}
        </td>
        <td className="row-action">{active ? <Resend delivery={delivery} /> : null}</td>
      </tr>
      {open ? (
        <tr id={detailsId}>
          <td colSpan={6}>
            <Details delivery={delivery} />
          </td>
        </tr>
      ) : null}
    </>
  )
}

interface DeliveryTableProps {
  readonly deliveries: ReadonlyArray<Delivery>
  readonly active: boolean
}
export const DeliveryTable = ({ active, deliveries }: DeliveryTableProps) => (
  <ScrollTable label={texts.deliveries} className="deliveries">
    <thead>
      <tr>
        <th scope="col">{texts.status}</th>
        <th scope="col">{texts.event}</th>
        <th scope="col">{texts.record}</th>
        <th scope="col">{texts.when}</th>
        <th scope="col" className="number">
          {texts.attempts}
        </th>
        <th scope="col">
          <span className="unseen">{texts.action}</span>
        </th>
      </tr>
    </thead>
    <tbody>
      {deliveries.map((one) => (
        <DeliveryRow key={one.delivery_id} delivery={one} active={active} />
      ))}
    </tbody>
  </ScrollTable>
)
