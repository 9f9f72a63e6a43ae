// Notifies other modules when fields or apps are deleted, or fields converted, in the transaction that does so (developer-api.md 7.2: automations break).
import { Context, Effect, Layer } from "effect"

export interface AppChange {
  readonly orgId: number
  /** Apps that go, with everything in them. */
  readonly appIds: ReadonlyArray<number>
  /** Fields that go from an app that stays. */
  readonly fieldIds: ReadonlyArray<number>
  /** Fields that have another type from now on (11.4). */
  readonly convertedFieldIds?: ReadonlyArray<number>
  /** Apps that removed relation fields joined: the fields' own apps and the ones they pointed to. */
  readonly relatedAppIds: ReadonlyArray<number>
}

export type AppChangeSubscriber = (change: AppChange) => Effect.Effect<void>

/**
 * Modules register a subscriber while their layer is built. The apps service notifies inside its transaction, holding the apps'
 * rows `FOR UPDATE`, before the rows go.
 */
export class AppChangeSubscribers extends Context.Service<
  AppChangeSubscribers,
  { readonly register: (subscriber: AppChangeSubscriber) => void; readonly notify: AppChangeSubscriber }
>()("millrace/records/AppChangeSubscribers") {
  static readonly layer = Layer.sync(AppChangeSubscribers, () => {
    const subscribers: Array<AppChangeSubscriber> = []
    return AppChangeSubscribers.of({
      register: (subscriber) => void subscribers.push(subscriber),
      notify: (change) => Effect.forEach(subscribers, (notify) => notify(change), { discard: true })
    })
  })
}
