// A replay's ticket: its id, signed for whoever asked for it, so that nobody counts through others'.
import type { ToolContext } from "../ToolContext.ts"

const purpose = "mcp/task"
const textOf = ({ caller }: ToolContext, replayId: number | string) => `${caller.userId}/replay/${replayId}`

export const replayTicket = (desk: ToolContext, replayId: number): string =>
  `${replayId}-${desk.secrets.sign(purpose, textOf(desk, replayId))}`

/** The replay that a ticket of this caller names. */
export const replayOf = (desk: ToolContext, ticket: string): string | undefined => {
  const [replayId = "", ...signature] = ticket.split("-")
  return desk.secrets.verify(purpose, textOf(desk, replayId), signature.join("-")) ? replayId : undefined
}
