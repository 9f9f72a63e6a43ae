// Shows the comments on a record with their replies, and a form for a new one.

import type { ItemOf } from "@millrace/client"
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query"
import { useId, useState } from "react"
import { client } from "../../api/client.ts"
import type { RecordRow } from "../../api/types.ts"
import { comments as texts } from "../../texts/records/record.ts"
import { ShowMore } from "../../ui/ShowMore.tsx"
import { Asked, Failure } from "../../ui/states.tsx"
import { Time } from "../../ui/Time.tsx"
import { useUnsavedText } from "../../ui/unsavedText.ts"
import { authorName } from "../../ui/values.tsx"
import { commentHash, useAddressedComment } from "./addressedComment.ts"

type Comment = ItemOf<"comments.list">
type Said = Pick<Comment, "value" | "created_on" | "edited_on" | "created_by">

/** `@[Name](user:7)` reads as the name. */
const replaceMentions = (value: string) => value.replace(/@\[([^\]]*)\]\(user:\d+\)/g, "@$1")

const Words = ({ said }: { readonly said: Said }) => (
  <>
    <p className="byline">
      <strong>{authorName(said.created_by)}</strong>{" "}
      <small>
        <Time at={said.created_on} />
        {said.edited_on !== undefined && texts.edited}
      </small>
    </p>
    <p className="said">{replaceMentions(said.value)}</p>
  </>
)

interface SayProps {
  readonly label: string
  readonly send: (value: string) => Promise<unknown>
  readonly after: () => unknown
}
const Say = ({ label, send, after }: SayProps) => {
  const id = useId()
  const [value, setValue] = useState("")
  const say = useMutation({
    mutationFn: () => send(value.trim()),
    onSuccess: async () => {
      setValue("")
      await after()
    }
  })
  useUnsavedText(value.trim() !== "" && !say.isPending)
  return (
    <form
      className="say"
      onSubmit={(event) => {
        event.preventDefault()
        if (value.trim() !== "") say.mutate()
      }}
    >
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        className="prose"
        rows={2}
        maxLength={50_000}
        value={value}
        onChange={(event) => setValue(event.target.value)}
      />
      {say.isError && <Failure what={texts.itWasNotSent} error={say.error} />}
      <button type="submit" className="small" disabled={say.isPending || value.trim() === ""}>
        {label}
      </button>
    </form>
  )
}

const Replies = ({ comment, isAddressed }: { readonly comment: Comment; readonly isAddressed: boolean }) => {
  const queries = useQueryClient()
  const [isOpened, setOpen] = useState(false)
  // A comment may be what was searched for.
  const isOpen = isOpened || (isAddressed && comment.reply_count > 0)
  const { comment_id, reply_count } = comment
  const replies = useInfiniteQuery({
    queryKey: ["replies", comment_id],
    queryFn: ({ pageParam, signal }) =>
      client.comments.replies(
        { comment_id, limit: 100, ...(pageParam === "" ? {} : { cursor: pageParam }) },
        { signal }
      ),
    initialPageParam: "",
    getNextPageParam: ({ cursor }) => cursor ?? undefined,
    enabled: isOpen && reply_count > 0
  })
  const loadedReplies = replies.data?.pages.flatMap((page) => page.replies) ?? []
  if (!isOpen)
    return (
      <button type="button" className="link" onClick={() => setOpen(true)}>
        {reply_count === 0 ? texts.reply : texts.replies(reply_count)}
      </button>
    )
  return (
    <div className="replies">
      {replies.isError && replies.data === undefined && (
        <Failure what={texts.loadingRepliesFailed} error={replies.error} />
      )}
      {loadedReplies.map((reply) => (
        <div key={reply.reply_id} className="comment">
          <Words said={reply} />
        </div>
      ))}
      <ShowMore
        query={replies}
        shown={loadedReplies.length}
        show={texts.showMoreReplies}
        failed={texts.loadingMoreRepliesFailed}
      />
      <Say
        label={texts.reply}
        send={(value) => client.comments.reply({ comment_id, body: { value } })}
        after={() =>
          Promise.all([
            queries.invalidateQueries({ queryKey: ["comments"] }),
            queries.invalidateQueries({ queryKey: ["replies", comment_id] })
          ])
        }
      />
    </div>
  )
}

export const Comments = ({ record }: { readonly record: RecordRow }) => {
  const queries = useQueryClient()
  const { record_id } = record
  const comments = useInfiniteQuery({
    queryKey: ["comments", record_id],
    queryFn: ({ pageParam, signal }) =>
      client.comments.list({ record_id, limit: 50, ...(pageParam === "" ? {} : { cursor: pageParam }) }, { signal }),
    initialPageParam: "",
    getNextPageParam: ({ cursor }) => cursor ?? undefined
  })
  const addressedHash = useAddressedComment(comments)
  const deleted = record.deleted_on !== null
  return (
    <section className="card" aria-labelledby="comments">
      <h2 id="comments">{texts.comments}</h2>
      <Asked query={comments} failed={texts.loadingCommentsFailed}>
        {({ pages }) => (
          <>
            {pages[0]?.total === 0 && <p className="muted">{texts.nobodyHasSaidAnythingYet}</p>}
            {pages
              .flatMap((page) => page.comments)
              .map((comment) => {
                const hash = commentHash(comment.comment_id)
                const isAddressed = hash === addressedHash
                return (
                  <div key={hash} id={hash} className="comment" aria-current={isAddressed ? "true" : undefined}>
                    <Words said={comment} />
                    {!deleted && <Replies comment={comment} isAddressed={isAddressed} />}
                  </div>
                )
              })}
            <ShowMore
              query={comments}
              shown={pages.flatMap((page) => page.comments).length}
              show={texts.showMoreComments}
              failed={texts.loadingMoreCommentsFailed}
            />
            {!deleted && (
              <Say
                label={texts.comment}
                send={(value) => client.comments.create({ record_id, body: { value } })}
                after={() => queries.invalidateQueries({ queryKey: ["comments", record_id] })}
              />
            )}
          </>
        )}
      </Asked>
    </section>
  )
}
