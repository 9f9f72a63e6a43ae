// The whole service beside a receiver of webhooks, and what their pages say.
import { Context, Effect, Layer } from "effect"
import { type Receiver, receiver } from "../../support/receiver.ts"
import { freshName, temporalAddress } from "../../support/temporal.ts"
import { sceneWith } from "../pages/chromium.ts"

export class Target extends Context.Service<Target, Receiver>()("test/Target") {}

export const WebhookScene = Layer.unwrap(
  Effect.map(receiver(), (target) =>
    sceneWith({
      ROLE: "all",
      RATE_BUDGET: "1000000",
      TEMPORAL_ADDRESS: temporalAddress(),
      TEMPORAL_NAMESPACE: freshName("console"),
      OUTBOUND_ALLOW: target.hostPort,
      WEBHOOK_RETRY_SECONDS: "1"
    }).pipe(Layer.merge(Layer.succeed(Target, target)))
  )
)

export const has = (text: string) =>
  `[...document.querySelectorAll("main *")].some((one) => one.children.length === 0 && one.textContent.includes(${JSON.stringify(text)}))`

/** The state of something, in its own word: of the hook, a delivery, a replay. */
export const tagged = (text: string) =>
  `[...document.querySelectorAll("main .tag")].some((one) => one.textContent === ${JSON.stringify(text)})`
