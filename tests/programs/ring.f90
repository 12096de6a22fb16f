! Passes numbers round a ring of processes and adds them up, once by the old and once by the new interface of Fortran.
!     ring N [STEPS]
program ring
  implicit none
  character(len=32) :: text
  integer :: n, steps
  n = 100
  steps = 10
  if (command_argument_count() > 0) then
     call get_command_argument(1, text)
     read (text, *) n
  end if
  if (command_argument_count() > 1) then
     call get_command_argument(2, text)
     read (text, *) steps
  end if
  call start()
  call pass_old(n, steps)
  call pass_new(n, steps)
  call finish()

contains

  subroutine start()
    use mpi_f08
    call MPI_Init()
  end subroutine start

  subroutine finish()
    use mpi_f08
    call MPI_Barrier(MPI_COMM_WORLD)
    call MPI_Finalize()
  end subroutine finish

  subroutine pass_old(n, steps)
    use mpi
    integer, intent(in) :: n, steps
    double precision :: mine(n), other(n), total
    integer :: rank, processes, error, i, status(MPI_STATUS_SIZE)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_size(MPI_COMM_WORLD, processes, error)
    mine = rank
    do i = 1, steps
       call MPI_Sendrecv(mine, n, MPI_DOUBLE_PRECISION, mod(rank + 1, processes), 0, other, n, &
                         MPI_DOUBLE_PRECISION, mod(rank + processes - 1, processes), 0, MPI_COMM_WORLD, status, error)
       mine = other
    end do
    call MPI_Allreduce(mine(1), total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
    if (rank == 0) print '(a, f0.1)', 'total ', total
  end subroutine pass_old

  subroutine pass_new(n, steps)
    use mpi_f08
    integer, intent(in) :: n, steps
    double precision, asynchronous :: mine(n), other(n)
    double precision :: total
    type(MPI_Request) :: requests(2)
    integer :: rank, processes, i
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, processes)
    mine = rank
    do i = 1, steps
       call MPI_Irecv(other, n, MPI_DOUBLE_PRECISION, mod(rank + processes - 1, processes), 1, MPI_COMM_WORLD, requests(1))
       call MPI_Isend(mine, n, MPI_DOUBLE_PRECISION, mod(rank + 1, processes), 1, MPI_COMM_WORLD, requests(2))
       call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
       mine = other
    end do
    call MPI_Reduce(mine(1), total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD)
    if (rank == 0) print '(a, f0.1)', 'total ', total
  end subroutine pass_new
end program ring
