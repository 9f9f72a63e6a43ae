// How many lone events relays of this process have taken (docs/architecture.md, "A lone event").
import { seriesOf } from "../../src/ground/metrics/instruments.ts"

export const takenAlone = () =>
  [...seriesOf("millrace.relay.lone_events")].reduce((sum, { state }) => sum + (state() as { count: number }).count, 0)
