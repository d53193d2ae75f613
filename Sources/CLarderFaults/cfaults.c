#include "cfaults.h"

#include <sqlite3.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct cfaults {
  sqlite3_vfs vfs;
  sqlite3_vfs *base;
  char name[64];
  // The open files, and one until it is destroyed.
  _Atomic int users;
  _Atomic int kind, persistent, fired;
  _Atomic int64_t countdown, operations;
  _Atomic(cfaults_observer) observer;
  void *_Atomic context;
};

// A file of ours; the base file system's lies behind it.
typedef struct {
  sqlite3_file file;
  cfaults *faults;
  sqlite3_file *real;
} fault_file;

#define REAL(file) (((fault_file *)(file))->real)
#define FORWARD(file, method, ...) REAL(file)->pMethods->method(REAL(file), ##__VA_ARGS__)

static void release(cfaults *faults) {
  if (atomic_fetch_sub(&faults->users, 1) == 1) free(faults);
}

static int fails(cfaults *faults) {
  int64_t left = atomic_load(&faults->countdown);
  if (left == 0) return 0;
  atomic_fetch_add(&faults->operations, 1);
  if (atomic_load(&faults->fired)) return atomic_load(&faults->persistent);
  if (atomic_fetch_sub(&faults->countdown, 1) != 1) return 0;
  atomic_store(&faults->countdown, -1);
  atomic_store(&faults->fired, 1);
  return 1;
}

static int code(cfaults *faults, int otherwise) {
  return atomic_load(&faults->kind) == CFAULTS_FULL ? SQLITE_FULL : otherwise;
}

// Whether the observer did what was about to happen itself.
static int passes(cfaults *faults, enum cfaults_point point, int at, int flags) {
  cfaults_observer observer = atomic_load(&faults->observer);
  return observer && observer(atomic_load(&faults->context), point, at, flags);
}
#define PASSES(file, point, at, flags) passes(((fault_file *)(file))->faults, point, at, flags)

// A connection uses its file system until its last file, the database itself, is closed.
static int file_close(sqlite3_file *f) {
  cfaults *faults = ((fault_file *)f)->faults;
  int result = FORWARD(f, xClose);
  release(faults);
  return result;
}
static int file_read(sqlite3_file *f, void *p, int n, sqlite3_int64 at) { return FORWARD(f, xRead, p, n, at); }
static int file_write(sqlite3_file *f, const void *p, int n, sqlite3_int64 at) {
  cfaults *faults = ((fault_file *)f)->faults;
  if (!fails(faults)) return FORWARD(f, xWrite, p, n, at);
  if (atomic_load(&faults->kind) == CFAULTS_TORN) FORWARD(f, xWrite, p, n / 2, at);
  return code(faults, SQLITE_IOERR_WRITE);
}
static int file_truncate(sqlite3_file *f, sqlite3_int64 size) {
  cfaults *faults = ((fault_file *)f)->faults;
  return fails(faults) ? code(faults, SQLITE_IOERR_TRUNCATE) : FORWARD(f, xTruncate, size);
}
static int file_sync(sqlite3_file *f, int flags) {
  cfaults *faults = ((fault_file *)f)->faults;
  if (fails(faults)) return code(faults, SQLITE_IOERR_FSYNC);
  return passes(faults, CFAULTS_SYNC, 0, flags) ? SQLITE_OK : FORWARD(f, xSync, flags);
}
static int file_size(sqlite3_file *f, sqlite3_int64 *size) { return FORWARD(f, xFileSize, size); }
static int file_lock(sqlite3_file *f, int level) {
  PASSES(f, CFAULTS_LOCK, 0, level);
  return FORWARD(f, xLock, level);
}
static int file_unlock(sqlite3_file *f, int level) {
  PASSES(f, CFAULTS_UNLOCK, 0, level);
  return FORWARD(f, xUnlock, level);
}
static int file_reserved(sqlite3_file *f, int *out) { return FORWARD(f, xCheckReservedLock, out); }
static int file_control(sqlite3_file *f, int op, void *p) { return FORWARD(f, xFileControl, op, p); }
static int file_sector(sqlite3_file *f) { return FORWARD(f, xSectorSize); }
static int file_traits(sqlite3_file *f) { return FORWARD(f, xDeviceCharacteristics); }
static int shm_map(sqlite3_file *f, int page, int size, int extend, void volatile **p) {
  PASSES(f, CFAULTS_SHM_MAP, page, extend);
  return FORWARD(f, xShmMap, page, size, extend, p);
}
static int shm_lock(sqlite3_file *f, int at, int n, int flags) {
  PASSES(f, CFAULTS_SHM_LOCK, at, flags);
  int result = FORWARD(f, xShmLock, at, n, flags);
  if (result == SQLITE_OK) PASSES(f, CFAULTS_SHM_LOCKED, at, flags);
  return result;
}
static void shm_barrier(sqlite3_file *f) {
  PASSES(f, CFAULTS_SHM_BARRIER, 0, 0);
  FORWARD(f, xShmBarrier);
}
static int shm_unmap(sqlite3_file *f, int delete) {
  PASSES(f, CFAULTS_SHM_UNMAP, 0, delete);
  return FORWARD(f, xShmUnmap, delete);
}
// Nothing is ever mapped: it would go around the writes.
static int file_fetch(sqlite3_file *f, sqlite3_int64 at, int n, void **p) {
  *p = 0;
  return SQLITE_OK;
}
static int file_unfetch(sqlite3_file *f, sqlite3_int64 at, void *p) {
  if (!p) PASSES(f, CFAULTS_HEADER_READ, 0, 0);
  return SQLITE_OK;
}

// Version 2 brings shared memory, for write-ahead logs; version 3 a call in the midst of a checkpoint.
static const sqlite3_io_methods methods = {
  3, file_close, file_read, file_write, file_truncate, file_sync, file_size, file_lock, file_unlock, file_reserved,
  file_control, file_sector, file_traits, shm_map, shm_lock, shm_barrier, shm_unmap, file_fetch, file_unfetch,
};

static int vfs_open(sqlite3_vfs *vfs, sqlite3_filename name, sqlite3_file *f, int flags, int *out) {
  cfaults *faults = (cfaults *)vfs->pAppData;
  fault_file *mine = (fault_file *)f;
  mine->faults = faults;
  mine->real = (sqlite3_file *)(mine + 1);
  int result = faults->base->xOpen(faults->base, name, mine->real, flags, out);
  // SQLite closes a file that has methods, whether it could be opened or not.
  mine->file.pMethods = mine->real->pMethods ? &methods : 0;
  if (mine->file.pMethods) atomic_fetch_add(&faults->users, 1);
  return result;
}

static int vfs_sleep(sqlite3_vfs *vfs, int microseconds) {
  cfaults *faults = (cfaults *)vfs->pAppData;
  if (passes(faults, CFAULTS_SLEEP, 0, microseconds)) return microseconds;
  return faults->base->xSleep(faults->base, microseconds);
}

cfaults *cfaults_create(const char *name) {
  sqlite3_initialize();
  cfaults *faults = calloc(1, sizeof *faults);
  if (!faults) return 0;
  atomic_store(&faults->users, 1);
  faults->base = sqlite3_vfs_find(0);
  if (!faults->base) { free(faults); return 0; }
  strncpy(faults->name, name, sizeof faults->name - 1);
  faults->vfs = *faults->base;
  faults->vfs.zName = faults->name;
  faults->vfs.szOsFile = (int)sizeof(fault_file) + faults->base->szOsFile;
  // The other methods are the base's own: they get this structure, and use nothing of it that differs.
  faults->vfs.pNext = 0;
  faults->vfs.xOpen = vfs_open;
  faults->vfs.xSleep = vfs_sleep;
  faults->vfs.pAppData = faults;
  if (sqlite3_vfs_register(&faults->vfs, 0) != SQLITE_OK) { free(faults); return 0; }
  return faults;
}

void cfaults_destroy(cfaults *faults) {
  sqlite3_vfs_unregister(&faults->vfs);
  atomic_store(&faults->observer, (cfaults_observer)0);
  release(faults);
}

void cfaults_arm(cfaults *faults, enum cfaults_kind kind, int persistent, int64_t countdown) {
  atomic_store(&faults->countdown, 0);
  atomic_store(&faults->kind, (int)kind);
  atomic_store(&faults->persistent, persistent);
  atomic_store(&faults->fired, 0);
  atomic_store(&faults->operations, 0);
  atomic_store(&faults->countdown, countdown);
}

void cfaults_disarm(cfaults *faults) { atomic_store(&faults->countdown, 0); }
int64_t cfaults_operations(const cfaults *faults) { return atomic_load(&((cfaults *)faults)->operations); }
int cfaults_fired(const cfaults *faults) { return atomic_load(&((cfaults *)faults)->fired); }

void cfaults_observe(cfaults *faults, cfaults_observer observer, void *context) {
  atomic_store(&faults->observer, (cfaults_observer)0);
  atomic_store(&faults->context, context);
  atomic_store(&faults->observer, observer);
}

static sqlite3_mem_methods memory;
static _Atomic int64_t allocations;
static _Atomic int allocation_failed;

static int refuses(void) {
  if (atomic_load(&allocations) <= 0 || atomic_fetch_sub(&allocations, 1) != 1) return 0;
  atomic_store(&allocation_failed, 1);
  return 1;
}

static void *allocate(int size) { return refuses() ? 0 : memory.xMalloc(size); }
static void *reallocate(void *block, int size) { return refuses() ? 0 : memory.xRealloc(block, size); }

int cfaults_install_allocator(void) {
  if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &memory) != SQLITE_OK) return 1;
  sqlite3_mem_methods mine = memory;
  mine.xMalloc = allocate;
  mine.xRealloc = reallocate;
  return sqlite3_config(SQLITE_CONFIG_MALLOC, &mine) != SQLITE_OK;
}

void cfaults_fail_allocation(int64_t countdown) {
  atomic_store(&allocation_failed, 0);
  atomic_store(&allocations, countdown);
}

int cfaults_allocation_failed(void) { return atomic_load(&allocation_failed); }

#ifdef __APPLE__
// Nothing to do, and automatic extensions are deprecated there.
int cfaults_keep_logs(int keeps) {
  (void)keeps;
  return 0;
}
#else
// Called for every database that is opened.
static int keep_log(sqlite3 *database, char **error, const void *routines) {
  (void)error, (void)routines;
  int keeps = 1;
  sqlite3_file_control(database, "main", SQLITE_FCNTL_PERSIST_WAL, &keeps);
  return SQLITE_OK;
}

int cfaults_keep_logs(int keeps) {
  void (*entry)(void) = (void (*)(void))keep_log;
  // Cancelling returns how many were cancelled.
  return keeps ? sqlite3_auto_extension(entry) : sqlite3_cancel_auto_extension(entry) - 1;
}
#endif
