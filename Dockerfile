# The program in an image: npm run release -- --dry-run && docker build -t platform-sync release/image
#   docker run --rm --read-only --tmpfs /tmp -v "$PWD:/work" -e PLATFORM_TOKEN platform-sync plan
# A tag is moved by whoever owns it, a digest is not: --build-arg NODE_IMAGE=node:22-slim@sha256:… pins both stages.
ARG NODE_IMAGE=node:22-slim

FROM ${NODE_IMAGE} AS install
WORKDIR /opt/platform-sync
COPY platform-sync-*.tgz /tmp/
RUN npm install --omit=dev --ignore-scripts --no-audit --no-fund /tmp/platform-sync-*.tgz && npm cache clean --force

FROM ${NODE_IMAGE}
COPY --from=install /opt/platform-sync /opt/platform-sync
RUN ln -s /opt/platform-sync/node_modules/.bin/platform-sync /usr/local/bin/platform-sync
# git is what plan --base reads another version of the catalogue with.
RUN apt-get update && apt-get install -y --no-install-recommends git ca-certificates && rm -rf /var/lib/apt/lists/*
USER node
WORKDIR /work
ENV NODE_ENV=production
ENTRYPOINT ["platform-sync"]
CMD ["--help"]
