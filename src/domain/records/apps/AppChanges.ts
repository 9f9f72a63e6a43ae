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

export type AppWatcher = (change: AppChange) => Effect.Effect<void>

/**
 * Modules register a watcher while their layer is built. The apps service notifies inside its transaction, holding the apps'
 * rows `FOR UPDATE`, before the rows go.
 */
export class AppChanges extends Context.Service<
  AppChanges,
  { readonly register: (watcher: AppWatcher) => void; readonly notify: AppWatcher }
>()("millrace/records/AppChanges") {
  static readonly layer = Layer.sync(AppChanges, () => {
    const watchers: Array<AppWatcher> = []
    return AppChanges.of({
      register: (watcher) => void watchers.push(watcher),
      notify: (change) => Effect.forEach(watchers, (watch) => watch(change), { discard: true })
    })
  })
}
