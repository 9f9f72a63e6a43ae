// Queries of pages about webhooks, each under one key below `["hooks"]`.
import type { AnswerOf, InputOf } from "@millrace/client"
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query"
import { client } from "./client.ts"
import { againWhile } from "./goingOn.ts"

export type Hook = AnswerOf<"webhooks.get">
export type HookType = Hook["type"]
export type HookSettings = AnswerOf<"webhooks.settings">
export type Delivery = AnswerOf<"webhooks.deliveries">["deliveries"][number]
export type DeliveryStatus = Delivery["status"]
export type Replay = AnswerOf<"webhookLog.replay">
export type Statistics = AnswerOf<"webhookLog.statistics">
export type SettingsChange = NonNullable<InputOf<"webhooks.settingsUpdate">["body"]>

const PAGE = 50
/** Polling interval of what no event reports: attempts to send a verification code. */
const EVERY_MILLIS = 10_000

export const hooksOf = (appId: number) =>
  queryOptions({
    queryKey: ["hooks", "of", appId],
    queryFn: ({ signal }) => client.webhooks.list({ app_id: appId }, { signal })
  })

export const hook = (hookId: number) =>
  queryOptions({
    queryKey: ["hooks", hookId, "record"],
    queryFn: ({ signal }) => client.webhooks.get({ hook_id: hookId }, { signal })
  })

export const hookSettings = (hookId: number) =>
  queryOptions({
    queryKey: ["hooks", hookId, "settings"],
    queryFn: ({ signal }) => client.webhooks.settings({ hook_id: hookId }, { signal })
  })

export const verification = (hookId: number) =>
  queryOptions({
    queryKey: ["hooks", hookId, "verification"],
    queryFn: ({ signal }) => client.webhooks.verification({ hook_id: hookId }, { signal }),
    refetchInterval: EVERY_MILLIS
  })

interface DeliveryFilter {
  readonly status?: DeliveryStatus
  readonly record_id?: number
}
export const deliveriesOf = (hookId: number, filter: DeliveryFilter) =>
  infiniteQueryOptions({
    queryKey: ["hooks", hookId, "deliveries", filter],
    queryFn: ({ pageParam, signal }) =>
      client.webhooks.deliveries(
        {
          hook_id: hookId,
          limit: PAGE,
          ...filter,
          ...(pageParam === null ? {} : { cursor: pageParam })
        },
        { signal }
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }) => cursor
  })

export const delivery = (deliveryId: string) =>
  queryOptions({
    queryKey: ["hooks", "delivery", deliveryId],
    queryFn: ({ signal }) => client.webhooks.delivery({ delivery_id: deliveryId }, { signal })
  })

export const samplesOf = (hookId: number) =>
  queryOptions({
    queryKey: ["hooks", hookId, "samples"],
    queryFn: ({ signal }) => client.webhooks.samples({ hook_id: hookId }, { signal })
  })

export const replaysOf = (hookId: number) =>
  queryOptions({
    queryKey: ["hooks", hookId, "replays"],
    queryFn: ({ signal }) => client.webhookLog.replays({ hook_id: hookId }, { signal }),
    refetchInterval: ({ state }) => againWhile(state.data?.replays.some(({ ended_on }) => ended_on === null))
  })

/** Statistics by the hour; the range is the service's default. */
export const statisticsOf = (hookId: number) =>
  queryOptions({
    queryKey: ["hooks", hookId, "statistics"],
    queryFn: ({ signal }) => client.webhookLog.statistics({ hook_id: hookId, step: "hour" }, { signal })
  })
