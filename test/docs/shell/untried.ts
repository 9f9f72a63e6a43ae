// The lines for a shell that no test types as they stand, and why: they need another machine, or programs that are not everywhere. All
// others of the documentation are typed (shell.test.ts). A line is found by how it begins, behind what it sets for itself.

interface Untried {
  readonly begins: ReadonlyArray<string>
  readonly why: string
}

export const untried: ReadonlyArray<Untried> = [
  {
    begins: ["npm start"],
    why: "starts the whole service, installs what is missing and stays: test/bin/start.test.ts, with a stand-in for the packages"
  },
  { begins: ["curl -sN"], why: "goes on for minutes: test/api/events/events.test.ts" },
  { begins: ["npm test"], why: "is what this test runs in" },
  {
    begins: ["npm run demo", "npm run bench", "npm run disturb", "npm run contract"],
    why: "takes from minutes to hours: test/demo, test/bench, test/disturb and test/api/clients.test.ts try their parts"
  },
  {
    begins: ["npm run client"],
    why: "writes into this clone: test/clients/generated.test.ts says what it would write"
  },
  {
    begins: ["npx --package=./millrace-0.2.0.tgz", "millrace cli", "npm install --global"],
    why: "needs the packed service, which test/bin/package.test.ts packs, installs and starts"
  },
  {
    begins: [
      "export DATABASE_URL",
      "export TEMPORAL_ADDRESS",
      "export SECRET_KEY",
      "export BASE_URL",
      "export TRUSTED_PROXIES"
    ],
    why: "are the settings of another machine: test/docs/configuration.test.ts knows their names"
  },
  {
    begins: [
      "docker ",
      "kubectl ",
      "helm ",
      "systemctl ",
      "install -d",
      "cp /usr/local",
      "echo PORT=8081",
      "deploy/compose/"
    ],
    why: "needs a container engine, a cluster or systemd: test/deploy/deploy.test.ts reads the files"
  },
  {
    begins: ["psql ", "pg_basebackup ", "PGPASSWORD=", 'rm -rf "$PGDATA"', 'cat >> "$PGDATA', "pg_ctl "],
    why: "needs the programs of Postgres, which the one that comes with the service lacks"
  },
  {
    begins: ["tar ", "cp .data/secret-key"],
    why: "keeps the files of `npm start`, after its end"
  },
  {
    begins: ["npm run cli -- key new", "npm run cli -- key rotate", "npm run cli -- key retire"],
    why: "changes the key file of `npm start`: test/interfaces/cli/keys.test.ts, with a ring in the environment"
  },
  {
    begins: ["npm run cli -- organization import --from /backups/org-3 --discard"],
    why: "takes back what was broken off, and the import before it is through: test/interfaces/cli/importDiscard.test.ts"
  },
  {
    begins: ["npm run cli -- webhook listen"],
    why: "waits for deliveries: test/interfaces/cli/webhookListen.test.ts"
  }
]

/** What a command does once its own settings are made. */
const withoutSettings = (command: string) => command.replace(/^(?:[A-Z_]+=(?:"[^"]*"|\S*)[ \\\n]+)*(?=npm start)/, "")

export const rowOf = (command: string): Untried | undefined =>
  untried.find(({ begins }) => begins.some((one) => withoutSettings(command).startsWith(one)))
