// Files: sent up with their progress as they are chosen, listed with their links, taken away again.
import { uploadFile } from "@millrace/client"
import { useState } from "react"
import { client } from "../../../api/client.ts"
import { fileEditors as texts } from "../../../texts/records/editors.ts"
import { Failure } from "../../../ui/states.tsx"
import { type ControlProps, type Editor, orNull } from "./editor.ts"

interface Held {
  /** A text until the record holds it. */
  readonly id: number | string
  readonly filename: string
  readonly download_url?: string
}
interface FilesDraft {
  readonly files: ReadonlyArray<Held>
  readonly underWay: number
}
interface Upload {
  readonly key: number
  readonly name: string
  readonly part: number
  readonly error?: unknown
}

let started = 0

const Files = ({ id, field, draft, onChange, many }: ControlProps<FilesDraft> & { readonly many: boolean }) => {
  const [uploads, setUploads] = useState<ReadonlyArray<Upload>>([])
  const set = (key: number, change: Partial<Upload>) =>
    setUploads((all) => all.map((one) => (one.key === key ? { ...one, ...change } : one)))
  const send = async (file: File) => {
    const key = ++started
    setUploads((all) => [...all, { key, name: file.name, part: 0 }])
    onChange((before) => ({ ...before, underWay: before.underWay + 1 }))
    const finishUpload = (add: ReadonlyArray<Held>) =>
      onChange((before) => ({
        files: many || add.length === 0 ? [...before.files, ...add] : add,
        underWay: before.underWay - 1
      }))
    try {
      const { file_id, name } = await uploadFile(client.transport, file, {
        name: file.name,
        onProgress: ({ bytes, total }) => set(key, { part: total === null ? 0 : bytes / total })
      })
      setUploads((all) => all.filter((one) => one.key !== key))
      finishUpload([{ id: file_id, filename: name }])
    } catch (error) {
      set(key, { error })
      finishUpload([])
    }
  }
  return (
    <div className="files">
      <ul className="plain">
        {draft.files.map((file) => (
          <li key={file.id} className="row">
            {file.download_url === undefined ? (
              <span>{file.filename}</span>
            ) : (
              <a href={file.download_url}>{file.filename}</a>
            )}
            <button
              type="button"
              className="link"
              aria-label={texts.removeFilename(file.filename)}
              onClick={() =>
                onChange((before) => ({ ...before, files: before.files.filter((one) => one.id !== file.id) }))
              }
            >
              {texts.remove}
            </button>
          </li>
        ))}
        {uploads.map(({ error, key, name, part }) => (
          <li key={key}>
            {error === undefined ? (
              <>
                {name} <progress aria-label={texts.sending(name)} value={part} />
              </>
            ) : (
              <Failure what={texts.wasNotSent(name)} error={error} />
            )}
          </li>
        ))}
      </ul>
      <input
        id={id}
        type="file"
        aria-label={texts.addToLabel(field.label)}
        multiple={many}
        accept={field.field_type === "multi_image" ? "image/*" : undefined}
        onChange={({ target }) => {
          for (const file of target.files ?? []) void send(file)
          target.value = ""
        }}
      />
    </div>
  )
}

const shared = {
  draft: (values: ReadonlyArray<any>) => ({
    files: values.map(({ value }) => ({ id: value.id, filename: value.filename, download_url: value.download_url })),
    underWay: 0
  }),
  isBusy: ({ underWay }: FilesDraft) => underWay > 0,
  group: true
} as const

export const file: Editor<FilesDraft> = {
  ...shared,
  Control: (props) => <Files {...props} many={false} />,
  input: ({ files }) => files[0]?.id ?? null
}
export const files: Editor<FilesDraft> = {
  ...shared,
  Control: (props) => <Files {...props} many={true} />,
  input: ({ files: all }) => orNull(all.map(({ id }) => id))
}
