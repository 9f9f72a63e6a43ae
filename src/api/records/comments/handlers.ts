// Translates developer-api.md 5 between HTTP and the comments service.

import { Effect } from "effect"
import { type AccessGrant, Granted } from "../../../domain/accounts/Access.ts"
import { Comments } from "../../../domain/records/comments/Comments.ts"
import { type ThreadPage, threadLimits } from "../../../domain/records/comments/threads.ts"
import { ownWrite } from "../../../domain/records/model/RecordRow.ts"
import { switchesOf } from "../../../domain/records/reading/sideEffectSwitches.ts"
import { group } from "../../middleware/requestContext.ts"
import { CommentsApi } from "./Api.ts"

const pageOf = (query: { readonly limit?: number; readonly cursor?: string }): ThreadPage => ({
  limit: query.limit ?? threadLimits.default,
  cursor: query.cursor
})

export const CommentsHandlers = group(
  CommentsApi,
  Effect.fnUntraced(function* (handlers) {
    const comments = yield* Comments
    const granted = <A, E, R>(use: (grant: AccessGrant) => Effect.Effect<A, E, R>) => Effect.flatMap(Granted, use)
    return handlers.handleAll({
      create: ({ payload, query }) =>
        granted((grant) =>
          comments
            .create(ownWrite(grant.caller, switchesOf(query)), grant.id, payload)
            .pipe(Effect.flatMap((row) => Effect.map(comments.views([row]), ([view]) => view!)))
        ),
      list: ({ query }) => granted((grant) => comments.list(grant, pageOf(query))),
      get: () => granted(comments.get),
      edit: ({ payload }) => granted((grant) => comments.edit(grant, payload)),
      remove: ({ query }) => granted((grant) => Effect.as(comments.remove(grant, switchesOf(query)), {})),
      reply: ({ payload, query }) =>
        granted((grant) =>
          comments
            .reply(ownWrite(grant.caller, switchesOf(query)), grant.id, payload)
            .pipe(Effect.flatMap((row) => Effect.map(comments.replyViews([row]), ([view]) => view!)))
        ),
      replies: ({ query }) => granted((grant) => comments.listReplies(grant, pageOf(query))),
      getReply: () => granted(comments.getReply),
      editReply: ({ payload }) => granted((grant) => comments.editReply(grant, payload)),
      removeReply: () => granted((grant) => Effect.as(comments.removeReply(grant), {}))
    })
  })
)
