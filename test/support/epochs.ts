// Fixed epochs, for tests of single parts that know but one history.
import { Effect, Layer } from "effect"
import { Epoch, type EpochName, type EpochShape, FIRST_EPOCH } from "../../src/engine/temporal/Epoch.ts"

export const fixedEpoch = (name: EpochName): EpochShape =>
  Epoch.make({ current: Effect.succeed(name), lost: Effect.never, state: Effect.succeed(name) })

export const layerFirstEpoch = Layer.succeed(Epoch, fixedEpoch(FIRST_EPOCH))
