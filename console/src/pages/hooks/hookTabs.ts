// Tabs of a webhook's page, and what its address keeps of them.
import type { DeliveryStatus } from "../../api/hooks.ts"
import { hookTabs as texts } from "../../texts/hooks/hookWords.ts"
import { deliveryStatuses } from "./hookWords.ts"

export const tabWords = texts.tabWords
export type HookTab = keyof typeof tabWords
export const hookTabs = Object.keys(tabWords) as ReadonlyArray<HookTab>

export interface HookSearch {
  /** The overview unless given. */
  readonly tab?: Exclude<HookTab, "overview">
  readonly status?: DeliveryStatus
  /** A record's id, or a `webhook-id`. */
  readonly find?: string
}

/** Reads the search parameters of a webhook's page from the address; ignores others. */
export const hookSearch = ({ find, status, tab }: Record<string, unknown>): HookSearch => ({
  ...(tab !== "overview" && hookTabs.includes(tab as HookTab) ? { tab: tab as Exclude<HookTab, "overview"> } : {}),
  ...(deliveryStatuses.includes(status as DeliveryStatus) ? { status: status as DeliveryStatus } : {}),
  ...(find === undefined || find === "" ? {} : { find: String(find) })
})
