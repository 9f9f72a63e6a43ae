// Words for people, by the API's terms of webhooks (service.md 6; decisions W1, W5, W12).
import type { DeliveryStatus, HookType, Replay } from "../../api/hooks.ts"

export const typeWords: Readonly<Record<HookType, string>> = {
  "record.create": "Record created",
  "record.update": "Record changed",
  "record.delete": "Record deleted",
  "record.restore": "Record restored",
  "comment.create": "Comment written",
  "comment.delete": "Comment deleted",
  "app.update": "App changed",
  "hook.failing": "A webhook keeps failing",
  "hook.inactive": "A webhook became inactive",
  "automation.broken": "An automation broke",
  "automation.run_failed": "A run failed"
}
/** The name of a webhook: what its maker calls it, or its address without the scheme. */
export const hookName = ({ url }: { readonly url: string }, description?: string | null): string =>
  description || url.replace(/^https?:\/\//, "")

export const hookTypes = Object.keys(typeWords) as ReadonlyArray<HookType>

export type Tone = "good" | "warn" | "bad" | ""

interface Said {
  readonly word: string
  readonly tone: Tone
  readonly means: string
}

export const deliveryWords: Readonly<Record<DeliveryStatus, Said>> = {
  queued: { word: "Waiting", tone: "", means: "Not sent yet." },
  retrying: { word: "Trying again", tone: "warn", means: "An attempt failed; the next one is planned." },
  delivered: { word: "Delivered", tone: "good", means: "The receiver answered with success." },
  failed: { word: "Failed", tone: "bad", means: "Every attempt failed." },
  withheld: { word: "Withheld", tone: "warn", means: "The address is not verified: it can be sent again once it is." },
  expired: { word: "Expired", tone: "bad", means: "It waited for too long." }
}
export const deliveryStatuses = Object.keys(deliveryWords) as ReadonlyArray<DeliveryStatus>

export const replayWords: Readonly<Record<Replay["state"], Omit<Said, "means">>> = {
  running: { word: "Under way", tone: "" },
  done: { word: "Done", tone: "good" },
  cancelled: { word: "Cancelled", tone: "warn" },
  stopped: { word: "Stopped: the address lost its verification", tone: "bad" }
}

export const standingOf = (
  { status, num_failed_executions: failures }: { readonly status: string; readonly num_failed_executions: number },
  paused = false
): { readonly word: string; readonly tone: Tone } => {
  if (status !== "active") return { word: "Not verified", tone: "warn" }
  if (paused) return { word: "Paused", tone: "warn" }
  if (failures > 0) return { word: `Failing: ${failures} in a row`, tone: "bad" }
  return { word: "Active", tone: "good" }
}

/** The error of an attempt, as words: its class and what stands behind it. */
export const errorWords = (error: string): string => error.replaceAll("_", " ")
