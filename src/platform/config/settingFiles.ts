// Reads every setting also from a file (decisions P2): a provider that looks for NAME_FILE whenever NAME is asked for, over any other
// provider.
import { ConfigProvider, Effect } from "effect"
import { fromFile, type SettingsInvalid } from "../../../bin/parts/settings.js"

/** Setting that was found, and its origin. */
export interface FoundSetting {
  /** Value as written; empty if it came from a file. */
  readonly value: string
  /** File that it was read from. */
  readonly file?: string
}

const foundIn = (value: string | undefined, file: string | undefined): FoundSetting | undefined => {
  if (file !== undefined) return { value: "", file }
  return value === undefined ? undefined : { value }
}

/** Provider with files. @param told called with every name that is asked for */
export const fileProvider = (
  base: ConfigProvider.ConfigProvider,
  told?: (name: string, found?: FoundSetting) => void
) =>
  ConfigProvider.make(
    Effect.fnUntraced(function* (path) {
      const name = path.join("_")
      const node = yield* base.load(path)
      const named = yield* base.load([`${name}_FILE`])
      // Reports settings whose file fails, too.
      told?.(name, foundIn(node?.value, named?.value))
      const fileSetting = yield* Effect.try({
        try: () => fromFile(name, node?.value, named?.value),
        catch: (error) =>
          new ConfigProvider.SourceError({ message: (error as SettingsInvalid).problems.join("; "), cause: error })
      })
      if (fileSetting === undefined) return node
      told?.(name, fileSetting)
      return ConfigProvider.makeValue(fileSetting.value)
    })
  )

/** Lets an effect that reads settings outside of Config.ts find them in files too. */
export const withSettingFiles = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const base = yield* ConfigProvider.ConfigProvider
    return yield* Effect.provideService(effect, ConfigProvider.ConfigProvider, fileProvider(base))
  })
