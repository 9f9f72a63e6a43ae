// Words for people, by the API's terms of webhooks (service.md 6; decisions W1, W5, W12).
import type { DeliveryStatus, HookType, Replay } from "../../api/hooks.ts"
import { hookWords as texts } from "../../texts/hooks/hookWords.ts"

export const typeWords: Readonly<Record<HookType, string>> = texts.typeWords
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
  queued: { word: texts.deliveryWords.queued.word, tone: "", means: texts.deliveryWords.queued.means },
  retrying: { word: texts.deliveryWords.retrying.word, tone: "warn", means: texts.deliveryWords.retrying.means },
  delivered: { word: texts.deliveryWords.delivered.word, tone: "good", means: texts.deliveryWords.delivered.means },
  failed: { word: texts.deliveryWords.failed.word, tone: "bad", means: texts.deliveryWords.failed.means },
  withheld: { word: texts.deliveryWords.withheld.word, tone: "warn", means: texts.deliveryWords.withheld.means },
  expired: { word: texts.deliveryWords.expired.word, tone: "bad", means: texts.deliveryWords.expired.means }
}
export const deliveryStatuses = Object.keys(deliveryWords) as ReadonlyArray<DeliveryStatus>

export const replayWords: Readonly<Record<Replay["state"], Omit<Said, "means">>> = {
  running: { word: texts.replayWords.running.word, tone: "" },
  done: { word: texts.replayWords.done.word, tone: "good" },
  cancelled: { word: texts.replayWords.cancelled.word, tone: "warn" },
  stopped: { word: texts.replayWords.stopped.word, tone: "bad" }
}

export const standingOf = (
  { status, num_failed_executions: failures }: { readonly status: string; readonly num_failed_executions: number },
  paused = false
): { readonly word: string; readonly tone: Tone } => {
  if (status !== "active") return { word: texts.notVerified, tone: "warn" }
  if (paused) return { word: texts.paused, tone: "warn" }
  if (failures > 0) return { word: texts.failingFailuresInARow(failures), tone: "bad" }
  return { word: texts.active, tone: "good" }
}

/** The error of an attempt, as words: its class and what stands behind it. */
export const errorWords = (error: string): string => error.replaceAll("_", " ")
