// Settings of the webhooks module, from configuration (service.md 8; decisions W1, W2, W4, W5, W8, P2).
import { Context, Duration, Effect, Layer } from "effect"
import { AppConfig } from "../../platform/config/Config.ts"
import { type Policy, policies } from "../../platform/outbound/policies.ts"

export interface WebhookSettingsShape {
  /** Executions per window and app, unless the organization's plan says otherwise. */
  readonly perWindow: number
  readonly windowMillis: number
  readonly policy: Policy
  /** Failures in a row that keep a hook verified. */
  readonly failuresAllowed: number
  /** Seconds before each retry. */
  readonly retryDelays: ReadonlyArray<number>
  readonly withheldDays: number
  readonly keepDays: number
  readonly codeHours: number
  readonly codeGuesses: number
  /** Maximum number of deliveries of one app in flight. */
  readonly slots: number
}

const defaults = { codeHours: 24, codeGuesses: 10, slots: 512 }

/** The name of the per-organization limit that wins over WEBHOOK_PER_MINUTE (`organizations.limits`). */
export const PER_MINUTE_LIMIT = "webhook_per_minute"

export class WebhookSettings extends Context.Service<WebhookSettings, WebhookSettingsShape>()(
  "millrace/webhooks/WebhookSettings"
) {
  static readonly layer = Layer.effect(
    WebhookSettings,
    Effect.map(AppConfig, (config) =>
      WebhookSettings.of({
        ...defaults,
        perWindow: config.webhookPerMinute,
        windowMillis: config.webhookWindowSeconds * 1000,
        policy: { ...policies.webhook, headers: Duration.millis(config.webhookTimeoutMillis) },
        failuresAllowed: config.webhookFailuresAllowed,
        retryDelays: config.webhookRetrySeconds.split(",").map(Number),
        withheldDays: config.webhookDays.withheld,
        keepDays: config.webhookDays.kept
      })
    )
  )
}
