// The log of a webhook, newest first: by status, by record, or the one of a `webhook-id`; many of it are sent again below.
import { useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { useId } from "react"
import { isNotFound } from "../../api/client.ts"
import { type DeliveryStatus, deliveriesOf, delivery as deliveryQuery, type Hook } from "../../api/hooks.ts"
import { hookDeliveries as texts } from "../../texts/hooks/deliveries.ts"
import { Search } from "../../ui/Search.tsx"
import { ShowMore } from "../../ui/ShowMore.tsx"
import { Asked } from "../../ui/states.tsx"
import { useTyped } from "../../ui/useTyped.ts"
import { DeliveryTable } from "./DeliveryTable.tsx"
import { HookReplays } from "./HookReplays.tsx"
import type { HookSearch } from "./hookTabs.ts"
import { deliveryStatuses, deliveryWords } from "./hookWords.ts"

const LATEST = 5
const isDeliveryId = (text: string) => text.startsWith("msg_")
const isRecordId = (text: string) => /^[1-9]\d{0,14}$/.test(text)

interface HookProps {
  readonly hook: Hook
}

/** The newest deliveries, on the overview. */
export const LatestDeliveries = ({ hook }: HookProps) => {
  const query = useInfiniteQuery(deliveriesOf(hook.hook_id, {}))
  return (
    <section className="card" aria-labelledby="latest">
      <div className="row">
        <h2 id="latest">{texts.latestDeliveries(<small>{query.data?.pages[0]?.total}</small>)}</h2>
        <Link from="/webhooks/$hookId" search={{ tab: "deliveries" }}>
          {texts.allDeliveries}
        </Link>
      </div>
      <Asked query={query} failed={texts.loadingTheDeliveriesFailed}>
        {({ pages: [newest] }) =>
          newest!.deliveries.length === 0 ? (
            <p className="muted">{texts.nothingWasSentYet}</p>
          ) : (
            <DeliveryTable deliveries={newest!.deliveries.slice(0, LATEST)} active={hook.status === "active"} />
          )
        }
      </Asked>
    </section>
  )
}

/** Shows a delivery by its `webhook-id`. */
const OneDelivery = ({ hook, deliveryId }: HookProps & { readonly deliveryId: string }) => {
  const query = useQuery(deliveryQuery(deliveryId))
  if (isNotFound(query.error) || (query.data !== undefined && query.data.hook_id !== hook.hook_id))
    return <p className="muted">{texts.noDeliveryOfThisWebhook(deliveryId)}</p>
  return (
    <Asked query={query} failed={texts.loadingTheDeliveryFailed}>
      {(delivery) => <DeliveryTable deliveries={[delivery]} active={hook.status === "active"} />}
    </Asked>
  )
}

const DeliveryList = ({ hook, find, status }: HookProps & Pick<HookSearch, "find" | "status">) => {
  const filter = {
    ...(status === undefined ? {} : { status }),
    ...(find === undefined ? {} : { record_id: Number(find) })
  }
  const query = useInfiniteQuery(deliveriesOf(hook.hook_id, filter))
  return (
    <Asked query={query} failed={texts.loadingTheDeliveriesFailed}>
      {({ pages }) => {
        const deliveries = pages.flatMap((page) => page.deliveries)
        return deliveries.length === 0 ? (
          <p className="muted">
            {status === undefined && find === undefined ? texts.nothingWasSentYet : texts.noneOfThese}
          </p>
        ) : (
          <>
            <p className="muted">{texts.totalDeliveries(pages[0]?.total.toLocaleString())}</p>
            <DeliveryTable deliveries={deliveries} active={hook.status === "active"} />
            <ShowMore
              query={query}
              shown={deliveries.length}
              show={texts.showEarlierOnes}
              failed={texts.loadingEarlierOnesFailed}
            />
          </>
        )
      }}
    </Asked>
  )
}

export const HookDeliveries = ({ hook }: HookProps) => {
  const { find, status } = useSearch({ from: "/webhooks/$hookId" })
  const go = useNavigate({ from: "/webhooks/$hookId" })
  const change = (changes: Partial<Record<"find" | "status", string | undefined>>) =>
    void go({ search: (search) => ({ ...search, ...changes }) as HookSearch, replace: true })
  const [text, setText] = useTyped(find, (typed) => change({ find: typed }))
  const id = useId()
  return (
    <>
      <section className="card" aria-labelledby="deliveries">
        <h2 id="deliveries" className="unseen">
          {texts.deliveries}
        </h2>
        <div className="filter-bar">
          <Search label={texts.recordIdOrWebhookId} value={text} onChange={setText} />
          <div className="tools">
            <label htmlFor={id} className="unseen">
              {texts.whichDeliveries}
            </label>
            <select
              id={id}
              className="short"
              value={status ?? ""}
              onChange={({ target }) =>
                change({ status: target.value === "" ? undefined : (target.value as DeliveryStatus) })
              }
            >
              <option value="">{texts.everyStatus}</option>
              {deliveryStatuses.map((one) => (
                <option key={one} value={one}>
                  {deliveryWords[one].word}
                </option>
              ))}
            </select>
          </div>
        </div>
        {find !== undefined && isDeliveryId(find) ? (
          <OneDelivery hook={hook} deliveryId={find} />
        ) : find !== undefined && !isRecordId(find) ? (
          <p className="muted">{texts.recordIsFound}</p>
        ) : (
          <DeliveryList hook={hook} {...(find !== undefined && { find })} {...(status !== undefined && { status })} />
        )}
      </section>
      <HookReplays hookId={hook.hook_id} active={hook.status === "active"} />
    </>
  )
}
