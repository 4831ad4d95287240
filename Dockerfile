# The gateway as a container image: built once, run as an unprivileged user; data of the embedded database in the volume /data.
# BASE is Debian with Node 24 and npm, and SYSTEM Debian alone, for builds that cannot pull these. Nothing here depends on the architecture; --platform
# chooses it.
ARG BASE=node:24-bookworm-slim
ARG SYSTEM=debian:bookworm-slim

FROM ${BASE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
# Without install scripts: the only one that matters brings a Node of its own, 190 MB beside the one of the base.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY LICENSE NOTICE tsconfig.json tsconfig.build.json rolldown.config.ts ./
COPY src src
COPY rest-compat rest-compat
COPY site site
COPY schema schema
COPY docs/guides docs/guides
# The list of packages is made once none of development is named any more: what npm omits as such would miss those that both need. The licences of all are
# kept, because the code of most is in the bundle. What ships is said by `files` and `bundleDependencies` of package.json.
RUN npm run build \
  && npm prune --omit=dev --ignore-scripts --no-audit --no-fund \
  && npm pkg delete devDependencies scripts \
  && mkdir /shipped \
  && npm sbom --sbom-format=spdx >/shipped/sbom.spdx.json \
  && find node_modules -type f \( -iname 'licen[cs]e*' -o -iname 'notice*' \) -print0 | tar --create --gzip --null --files-from - --file /shipped/licences.tar.gz \
  && tar --extract --gzip --strip-components 1 --directory /shipped --file "$(npm pack --ignore-scripts --silent)"

FROM ${SYSTEM}
ARG REVISION=
LABEL org.opencontainers.image.title="Ledger Gateway" org.opencontainers.image.licenses=MIT org.opencontainers.image.revision=$REVISION
# Buffers of 64 kB and more are mappings of their own, which the system has back once they are free (docs/decisions/memory-and-start.md).
ENV MALLOC_MMAP_THRESHOLD_=65536 MALLOC_TRIM_THRESHOLD_=2097152
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000 DATA_DIR=/data
WORKDIR /app
COPY --from=build /usr/local/bin/node /usr/local/bin/
COPY --from=build /shipped ./
RUN groupadd --gid 1000 node && useradd --uid 1000 --gid node node \
  && mkdir /data && chown node:node /data \
  && printf '#!/bin/sh\nexec node /app/dist/bundle/admin.js "$@"\n' >/usr/local/bin/ledger-admin && chmod 755 /usr/local/bin/ledger-admin
USER node
VOLUME /data
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/readyz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=16", "dist/bundle/main.js"]
